// SPDX-License-Identifier: MIT
//
// The signal handler, and the threads that it may have to leave kernels on.
//
// A thread has a record from its first kernel on, which the handler finds in thread-local memory and others in a list. Handlers run
// on a stack of their own, as a kernel may have used up the thread's.
#include "fault.h"

#include "settings.h"
#include "shared_use.h"
#include "stray.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// Enough for a handler of the program's that is called from ours.
#define HANDLER_STACK ((size_t)256 << 10)

struct thread {
    struct thread *next, **link; // in the list of all
    pthread_t thread;
    _Atomic(const void *) group;     // of its guard; NULL: it runs no kernels
    struct zc_guard *volatile guard; // for this thread and its handler
    void *handler_stack;             // NULL: the thread had one
    size_t handler_stack_size;
    uintptr_t stack_end;
};

static struct {
    pthread_mutex_t lock; // guards what follows
    struct thread *first;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

// In memory that is there when the thread starts: the handler can't wait for an allocation.
static _Thread_local struct thread *self __attribute__((tls_model("initial-exec")));

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define SIGNAL_COUNT (sizeof signals / sizeof *signals)

// What else was there for each signal. A program may install a handler behind ours, which takes its place, and perhaps passes on to
// ours what is not for it. Ours is installed again then (zc_guard_refresh) and comes first: other signals than those of kernels go
// to `newest`, and what comes back from there goes to `first`.
static struct sigaction first[SIGNAL_COUNT], newest[SIGNAL_COUNT];

// The signal that this thread has passed on, by where it and our handler's frame are; another one at the same place has the frame
// at the same place, and what comes back has it deeper.
struct passed {
    const siginfo_t *info;
    uintptr_t frame;
};
static _Thread_local struct passed passed __attribute__((tls_model("initial-exec")));

static atomic_bool installed;

static _Thread_local bool works_for_device __attribute__((tls_model("initial-exec")));

// Comes with the signals that we send.
static char our_mark;

// ---- in the handler ----

// Where nothing can be queued for the user any more (RLIMIT_SIGPENDING), the signal comes without its mark, and from nobody.
static bool is_cancellation(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE ? info->si_value.sival_ptr == &our_mark
                                     : info->si_code == SI_USER && info->si_pid == 0;
}

static size_t index_of(int signal)
{
    size_t i = 0;
    while (signals[i] != signal)
        i++;
    return i;
}

static bool comes_back(const siginfo_t *info, uintptr_t frame)
{
    const bool back = passed.info == info && frame < passed.frame;
    if (!back)
        passed = (struct passed){info, frame};
    return back;
}

// Without any handler: the instruction faults once more, or the signal is sent once more, and ends the process.
static void act_by_default(int signal, const siginfo_t *info)
{
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (info->si_code <= 0)
        raise(signal);
}

static void call_handler(struct sigaction *action, int signal, siginfo_t *info, void *context)
{
    const struct sigaction called = *action;
    sigset_t mask = called.sa_mask;
    if (!(called.sa_flags & SA_NODEFER))
        sigaddset(&mask, signal);
    if (called.sa_flags & (int)SA_RESETHAND)
        *action = (struct sigaction){.sa_handler = SIG_DFL};
    pthread_sigmask(SIG_BLOCK, &mask, NULL); // the kernel takes this back behind our handler
    if (called.sa_flags & SA_SIGINFO)
        called.sa_sigaction(signal, info, context);
    else
        called.sa_handler(signal);
}

static void pass_on(struct sigaction *action, int signal, siginfo_t *info, void *context)
{
    const bool is_plain = !(action->sa_flags & SA_SIGINFO);
    if (is_plain && action->sa_handler == SIG_IGN && info->si_code <= 0)
        return;
    if (is_plain && (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN))
        act_by_default(signal, info);
    else
        call_handler(action, signal, info, context);
}

static uintptr_t instruction_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

static uintptr_t stack_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

// Between the stack's pointer and the guard all is there, unless the pointer itself has left the stack.
__attribute__((no_sanitize("address", "thread"))) static void keep_stack(
    struct zc_fault *fault, const struct zc_guard *guard, uintptr_t stack_end)
{
    const uintptr_t *word = (const uintptr_t *)(fault->stack & ~(uintptr_t)7);
    const uintptr_t *end = (const uintptr_t *)(const void *)guard;
    if (stack_end == 0 || fault->stack < stack_end)
        return;
    while (word < end && fault->code_count <= ZC_FAULT_WORDS)
        fault->code_at[fault->code_count++] = *word++;
}

static void keep(
    struct zc_guard *guard, int signal, const siginfo_t *info, const ucontext_t *context)
{
    struct zc_fault *fault = &guard->fault;
    fault->signal = signal;
    fault->code = info->si_code;
    fault->address = (uintptr_t)info->si_addr;
    fault->stack = stack_of(context);
    fault->stack_end = self->stack_end;
    fault->code_at[0] = instruction_of(context);
    fault->code_count = 1;
    keep_stack(fault, guard, self->stack_end);
}

static bool is_in_kernel(const struct zc_guard *guard)
{
    return guard && atomic_load_explicit(&guard->watch.in_kernel, memory_order_relaxed);
}

// From here on a signal finds nothing to leave. Called before all else: sanitizers do more before a call that does not return, and take
// locks for it, which a second signal would wait for.
static void stop_leaving(struct zc_guard *guard)
{
    atomic_store_explicit(&guard->watch.in_kernel, false, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

// Floating-point modes and blocked signals become those of the interrupted code: the system has changed the former for the handler, and
// a handler before ours may have changed the latter.
static _Noreturn void leave(struct zc_guard *guard, const ucontext_t *context)
{
#if defined(__x86_64__)
    if (context->uc_mcontext.fpregs) {
        const unsigned mode =
            context->uc_mcontext.fpregs->mxcsr & 0xffc0u; // without what was raised
        __builtin_ia32_ldmxcsr(mode);
    }
#endif
    pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, NULL);
    siglongjmp(guard->back, 1);
}

static bool is_write(const ucontext_t *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return false;
#endif
}

// No cancellation leaves the thread while it has the lock of shared_use.c. One that has come meanwhile is done afterwards.
static bool open_for_kernel(
    struct zc_guard *guard, const struct zc_touch *touch, const ucontext_t *context)
{
    stop_leaving(guard);
    const bool opened = zc_shared_use_open(touch);
    atomic_store_explicit(&guard->watch.in_kernel, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (opened && atomic_load(guard->watch.cancelled)) {
        stop_leaving(guard);
        leave(guard, context);
    }
    return opened;
}

// Does the access find shared memory closed, and can be repeated now?
static bool open_shared(
    int signal, const siginfo_t *info, struct zc_guard *guard, const ucontext_t *context)
{
    if (!zc_settings.strict || signal != SIGSEGV || info->si_code != SEGV_ACCERR)
        return false;
    const bool in_kernel = is_in_kernel(guard);
    const struct zc_touch touch = {.address = (uintptr_t)info->si_addr,
        .code = instruction_of(context),
        .by_device = in_kernel || works_for_device,
        .is_write = is_write(context)};
    return in_kernel ? open_for_kernel(guard, &touch, context) : zc_shared_use_open(&touch);
}

static void handle(int signal, siginfo_t *info, void *context)
{
    struct zc_guard *guard = self ? self->guard : NULL;
    if (is_cancellation(info)) { // it may come too late
        if (is_in_kernel(guard) && atomic_load(guard->watch.cancelled)) {
            stop_leaving(guard);
            leave(guard, context);
        }
        return;
    }
    if (open_shared(signal, info, guard, context))
        return;
    if (is_in_kernel(guard) && info->si_code > 0) {
        stop_leaving(guard);
        keep(guard, signal, info, context);
        leave(guard, context);
    }
    if (signal == SIGSEGV && info->si_code == SEGV_ACCERR)
        zc_stray_report_fault(&(const struct zc_touch){.address = (uintptr_t)info->si_addr,
            .code = instruction_of(context),
            .by_device = works_for_device,
            .is_write = is_write(context)});
    const bool back = comes_back(info, (uintptr_t)__builtin_frame_address(0));
    pass_on(&(back ? first : newest)[index_of(signal)], signal, info, context);
}

// ---- findings ----

// The engine has seen to it that no signal leaves the kernel meanwhile. The attribute is a part of the type, which _Noreturn is not.
__attribute__((noreturn)) static void leave_for_finding(
    struct zc_watch *watch, const struct zc_finding *finding)
{
    struct zc_guard *guard = (struct zc_guard *)(void *)watch; // its first member
    guard->fault.finding = finding;
    siglongjmp(guard->back, 1);
}

// ---- threads ----

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

// Who changes handlers at the same time as somebody else can't be helped.
static void install_one(size_t i)
{
    struct sigaction ours = {
        .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct sigaction other;
    sigemptyset(&ours.sa_mask);
    if (sigaction(signals[i], NULL, &other) || is_ours(&other))
        return;
    newest[i] = other;
    sigaction(signals[i], &ours, NULL);
}

static void install(void)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        install_one(i);
        first[i] = newest[i];
    }
    atomic_store(&installed, true);
}

void zc_guard_refresh(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards nothing but the order
    if (!atomic_load(&installed))
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        install_one(i);
    pthread_mutex_unlock(&lock);
}

static void add_handler_stack(struct thread *thread)
{
    stack_t old;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t least = (size_t)sysconf(_SC_SIGSTKSZ);
    if (sigaltstack(NULL, &old) || !(old.ss_flags & SS_DISABLE))
        return;
    const size_t size = (HANDLER_STACK + least + page - 1) / page * page + page;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    mprotect(memory, page, PROT_NONE); // it grows downwards
    sigaltstack(&(stack_t){.ss_sp = (char *)memory + page, .ss_size = size - page}, NULL);
    thread->handler_stack = memory;
    thread->handler_stack_size = size;
}

static void remove_handler_stack(const struct thread *thread)
{
    stack_t now;
    if (!thread->handler_stack || sigaltstack(NULL, &now))
        return;
    const char *begin = thread->handler_stack, *end = begin + thread->handler_stack_size;
    if ((char *)now.ss_sp > begin && (char *)now.ss_sp < end)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(thread->handler_stack, thread->handler_stack_size);
}

static uintptr_t find_stack_end(void)
{
    pthread_attr_t attributes;
    void *end = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return 0;
    pthread_attr_getstack(&attributes, &end, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)end;
}

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget_thread(void *data)
{
    struct thread *thread = data;
    self = NULL;
    pthread_mutex_lock(&all.lock);
    *thread->link = thread->next;
    if (thread->next)
        thread->next->link = thread->link;
    pthread_mutex_unlock(&all.lock);
    remove_handler_stack(thread);
    free(thread);
}

static void start_watching(void)
{
    pthread_key_create(&key, forget_thread);
    install();
}

void zc_guard_install(void)
{
    if (zc_settings.signals)
        pthread_once(&once, start_watching);
}

bool zc_guard_work_for_device(bool works)
{
    const bool before = works_for_device;
    works_for_device = works;
    return before;
}

static struct thread *create_thread(void)
{
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->thread = pthread_self();
    thread->stack_end = find_stack_end();
    add_handler_stack(thread);
    pthread_mutex_lock(&all.lock);
    thread->next = all.first;
    thread->link = &all.first;
    if (all.first)
        all.first->link = &thread->next;
    all.first = thread;
    pthread_mutex_unlock(&all.lock);
    pthread_setspecific(key, thread);
    return thread;
}

static struct thread *this_thread(void)
{
    if (zc_settings.signals && !self) {
        zc_guard_install();
        self = create_thread();
    }
    return self;
}

// Not inlined: what lives across the jump is in memory.
__attribute__((noinline)) static bool run_watched(
    struct zc_guard *guard, void (*body)(void *argument), void *argument)
{
    if (sigsetjmp(guard->back, 0))
        return false;
    body(argument);
    return true;
}

bool zc_guard_run(struct zc_guard *guard, const void *group, const atomic_bool *cancelled,
    void (*body)(void *argument), void *argument)
{
    struct thread *thread = this_thread();
    atomic_init(&guard->watch.in_kernel, false);
    guard->watch.cancelled = cancelled;
    guard->watch.leave = leave_for_finding;
    guard->fault.finding = NULL;
    guard->group = group;
    guard->fault.signal = 0;
    guard->fault.code_count = 0;
    if (!thread) // no signal leaves it, but a finding does
        return run_watched(guard, body, argument);
    thread->guard = guard;
    atomic_store(&thread->group, group);
    const bool ok = run_watched(guard, body, argument);
    atomic_store_explicit(&thread->group, NULL, memory_order_release);
    thread->guard = NULL;
    return ok;
}

// Threads that begin after this look at `cancelled` first. Threads in the list have not ended.
void zc_guard_cancel(const void *group)
{
    pthread_mutex_lock(&all.lock);
    for (struct thread *thread = all.first; thread; thread = thread->next)
        if (atomic_load(&thread->group) == group && !pthread_equal(thread->thread, pthread_self()))
            pthread_sigqueue(thread->thread, SIGSEGV, (union sigval){.sival_ptr = &our_mark});
    pthread_mutex_unlock(&all.lock);
}
