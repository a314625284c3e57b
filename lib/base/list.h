// SPDX-License-Identifier: MIT
//
// Linked lists whose items hold the links, so that nothing is allocated to be in one. The list owns nothing: an item that is freed
// must have been taken out before. An item may be in as many lists at a time as it has links.
//
// A list is a pointer to its first item, NULL while there is none. `list` is the address of that pointer in all macros below, and
// `next` the name of the items' pointer to the next one. They read their arguments more than once: these must have no side effects.
//
// Thread-safety: none.

#ifndef MEZ_BASE_LIST_H
#define MEZ_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

// Puts the item first.
#define mez_list_push(list, item, next) ((item)->next = *(list), (void)(*(list) = (item)))

// Takes the first item out, and puts it into the variable `item`. False: there was none, and the variable is NULL.
#define mez_list_pop(list, item, next) \
    (((item) = *(list)) != NULL && (*(list) = (item)->next, true))

// Puts the item last. Walks the whole list.
#define mez_list_append(list, item, next)            \
    do {                                             \
        __typeof__(&(item)->next) mez_link = (list); \
        while (*mez_link)                            \
            mez_link = &(*mez_link)->next;           \
        (item)->next = NULL;                         \
        *mez_link = (item);                          \
    } while (0)

// Takes the item out, wherever it is. Walks up to it. Nothing happens where it is not in the list.
#define mez_list_remove(list, item, next)            \
    do {                                             \
        __typeof__(&(item)->next) mez_link = (list); \
        while (*mez_link && *mez_link != (item))     \
            mez_link = &(*mez_link)->next;           \
        if (*mez_link)                               \
            *mez_link = (item)->next;                \
    } while (0)

// --- First in, first out
//
// `last` is the address of a pointer to the last item, which is NULL while there is none. All other macros above that change a list
// know nothing of it.

// Puts the item last.
#define mez_fifo_append(list, last, item, next)                                              \
    ((item)->next = NULL, (void)(*(last) ? ((*(last))->next = (item)) : (*(list) = (item))), \
        (void)(*(last) = (item)))

// Takes the first item out, and puts it into the variable `item`. False: there was none, and the variable is NULL.
#define mez_fifo_pop(list, last, item, next) \
    (mez_list_pop(list, item, next) && (*(list) ? true : (*(last) = NULL, true)))

// --- Both ways

// For items that leave from the middle at once, without a walk. `link` is the name of a member of type MEZ_LINK(type); the list is
// walked by `link.next`.
#define MEZ_LINK(type) \
    struct {           \
        type *next;    \
        type **from;   \
    }

// Puts the item first.
#define mez_linked_push(list, item, link)                      \
    do {                                                       \
        (item)->link.next = *(list);                           \
        (item)->link.from = (list);                            \
        if ((item)->link.next)                                 \
            (item)->link.next->link.from = &(item)->link.next; \
        *(list) = (item);                                      \
    } while (0)

// Takes the item out, which must be in a list.
#define mez_linked_remove(item, link)                         \
    do {                                                      \
        *(item)->link.from = (item)->link.next;               \
        if ((item)->link.next)                                \
            (item)->link.next->link.from = (item)->link.from; \
    } while (0)

#endif
