// SPDX-License-Identifier: MIT
//
// Our device library, built from devicelib/ and embedded: what a failed assert calls on drivers that do not know it. There
// are variants, of which an image gets one: two published designs differ in names, newer compilers replace a function of the
// published name by their own, and collecting many failures takes memory.

#ifndef MEZ_DEVICELIB_DEVICELIB_H
#define MEZ_DEVICELIB_DEVICELIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mezzanine/assert.h>

#include "spirv/asserts.h"

// What a failed assert calls in the end, and what it is called where the compiler shall not know it.
#define MEZ_ASSERT_FAIL MEZ_ASSERT_FUNCTION
#define MEZ_ASSERT_FAIL_RENAMED "__mez_assert_fail"

// The same where the image's kernels have hidden arguments (spirv/rewrite.h), which say where to post the failure.
#define MEZ_ASSERT_POST "__mez_assert_post"

// What C's assert calls, and images of C toolchains import or bring.
#define MEZ_C_ASSERT_FAIL "__assert_fail"
#define MEZ_C_ASSERT_POST "__mez_c_assert_post"

// The program-scope variables that hold the record of the first failed assert of a module: as published first, and last.
#define MEZ_ASSERT_VARIABLE "__SYCL_AssertHappenedMem"
#define MEZ_ASSERT_VARIABLE_LATER "SPIR_AssertHappenedMem"
#define MEZ_ASSERT_READ "__devicelib_assert_read"

// The one that collects many: a mez_assert_log.
#define MEZ_ASSERT_LOG_VARIABLE "__mez_assert_log"

#define MEZ_ASSERT_SITES 64
#define MEZ_ASSERT_MORE 1024

// One assert of the source.
typedef struct mez_assert_site {
    uint32_t key;   // 0: free, and so is its record
    uint32_t count; // work-items that failed there
} mez_assert_site;

// As the device writes it: devicelib/mezzanine/assert_log.h. A record counts once its flag is 2.
typedef struct mez_assert_log {
    uint32_t total; // work-items that failed anywhere; it may be more than there are records of
    uint32_t taken; // records of `more` that were asked for; it may be more than MEZ_ASSERT_MORE
    mez_assert_site sites[MEZ_ASSERT_SITES];
    mez_assert_record first[MEZ_ASSERT_SITES]; // the first failure of each site
    mez_assert_record more[MEZ_ASSERT_MORE];   // later ones, and those of sites that found no place
} mez_assert_log;

// Where the launches of one queue, or of one recorded list, post their failures: devicelib/mezzanine/assert_mailbox.h. The device
// writes while the host reads, each word by an atomic operation; a record counts once its flag is 2.

#define MEZ_MAILBOX_LAUNCHES 1024
#define MEZ_MAILBOX_RECORDS 64

typedef struct mez_assert_mailbox {
    uint32_t taken;    // launches that have failed; it may be more than there are records of
    uint32_t collects; // is there a log?
    uint32_t failures[MEZ_MAILBOX_LAUNCHES];      // work-items that failed, of each launch
    mez_assert_record first[MEZ_MAILBOX_RECORDS]; // of each launch; `serial` is its number
    mez_assert_log log; // of all launches; no memory is there for it where it is not wanted
} mez_assert_mailbox;

typedef struct mez_devicelib {
    const uint8_t *code; // SPIR-V
    const size_t *size;  // bytes
    const char *record;  // names of the variables; NULL: it has none
    const char *log;     // NULL: it has none
    bool fails; // it defines the function that a failed assert calls, and fills the variables
} mez_devicelib;

// What a variant shall be.
typedef struct mez_devicelib_wish {
    bool later_names;
    bool posts;   // it defines MEZ_ASSERT_POST, and no variables; then the others say nothing
    bool native;  // without the function that a failed assert calls; then the next two say nothing
    bool renamed; // that function is MEZ_ASSERT_FAIL_RENAMED
    bool many;
} mez_devicelib_wish;

const mez_devicelib *mez_devicelib_get(const mez_devicelib_wish *wish);

// What the module that defines what C's assert calls calls itself.
typedef enum mez_c_assert {
    MEZ_C_ASSERT_PLAIN,   // MEZ_ASSERT_FAIL
    MEZ_C_ASSERT_RENAMED, // MEZ_ASSERT_FAIL_RENAMED
    MEZ_C_ASSERT_POSTS,   // MEZ_ASSERT_POST, and it is MEZ_C_ASSERT_POST itself
} mez_c_assert;

// That module, which imports what the libraries define; SPIR-V of *size bytes. To be compiled together with the image only.
const uint8_t *mez_devicelib_c_assert(mez_c_assert how, size_t *size);

// Does the variant define what an image imports by this name? MEZ_ASSERT_FAIL stands for the renamed one, too.
bool mez_devicelib_defines(const mez_devicelib *library, const char *symbol);

// Does any variant, or MEZ_C_ASSERT_FAIL's module, define this symbol?
bool mez_devicelib_knows(const char *symbol);

#endif
