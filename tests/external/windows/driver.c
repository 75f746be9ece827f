/* Loads the library for CheckerBoard as the window does: driver LIBRARY COMMAND...
 *
 *   play GAMES SECONDS INFO MORE   plays games against itself, from the openings on standard input: for
 *                                  each move a line with the board before it, the colour, what getmove
 *                                  returned, the milliseconds, the board after it, the rest of the clock,
 *                                  and how much longer than it asked for a thread has slept meanwhile
 *   duel GAMES SECONDS INFO MORE   plays against another engine, every other game with the first move: the
 *                                  boards after its moves, or `end`, are lines of standard input as well
 *   answer COMMAND...              prints what enginecommand returns and replies
 *   playnow TIMES                  asks for the move after 50 ms: prints the milliseconds until it came
 *   status SECONDS                 searches, and prints each new line of the status bar with its time
 *   threads TIMES                  searches with four threads, and prints how many are left afterwards
 *   priority                       searches with four threads and a low priority: prints that of each thread
 *   free TIMES                     unloads the library while it searches
 *   idle SECONDS                   searches with a large table, and prints the memory then and later, in KiB
 *   noise CALLS                    calls with arguments without sense, in two threads
 *   reload TIMES                   loads, searches and unloads
 *
 * Boards are printed as 32 letters in the order of the square numbers: b w B W, and . for none.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#define PSAPI_VERSION 2
#include <windows.h>
#include <psapi.h>
#include <tlhelp32.h>
#define CALL __stdcall
#define LOAD(name) ((void *)LoadLibraryA(name))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#define UNLOAD(library) FreeLibrary((HMODULE)(library))
#define PAUSE(ms) Sleep(ms)
typedef HANDLE thread_t;
#define START(thread, run, argument) (*(thread) = CreateThread(NULL, 0, run, argument, 0, NULL))
#define JOIN(thread) WaitForSingleObject(thread, INFINITE)
#define THREAD DWORD WINAPI
#else
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#define CALL
#define LOAD(name) dlopen(name, RTLD_NOW | RTLD_LOCAL)
#define FIND(library, name) dlsym(library, name)
#define UNLOAD(library) dlclose(library)
#define PAUSE(ms) nanosleep(&(struct timespec){(ms) / 1000, (ms) % 1000 * 1000000L}, NULL)
typedef pthread_t thread_t;
#define START(thread, run, argument) pthread_create(thread, NULL, run, argument)
#define JOIN(thread) pthread_join(thread, NULL)
#define THREAD void *
#endif

struct square { int x, y; };
struct move {
    int jumps, new_piece, old_piece;
    struct square from, to, path[12], captured[12];
    int captured_pieces[12];
};
typedef int (CALL *getmove_t)(int[8][8], int, double, char *, int *, int, int, struct move *);
typedef int (CALL *enginecommand_t)(const char *, char *);
typedef int (CALL *islegal_t)(int[8][8], int, int, int, struct move *);

enum { WHITE = 1, BLACK = 2, MAN = 4, KING = 8, GUARD = 64 };

static void *library;
static getmove_t getmove;
static enginecommand_t enginecommand;
static islegal_t islegal;

static void fail(const char *why) {
    fprintf(stderr, "driver: %s\n", why);
    exit(1);
}

static void load(const char *name) {
#ifdef _WIN32
    if (GetACP() != 1252) fail("the code page is not 1252");
#endif
    library = LOAD(name);
    if (!library) fail("the library cannot be loaded");
    getmove = (getmove_t)FIND(library, "getmove");
    enginecommand = (enginecommand_t)FIND(library, "enginecommand");
    islegal = (islegal_t)FIND(library, "islegal");
    if (!getmove || !enginecommand || !islegal) fail("a function is missing");
}

static double now(void) {
#ifdef _WIN32
    LARGE_INTEGER ticks, second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&second);
    return ticks.QuadPart * 1e3 / second.QuadPart;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
#endif
}

/* The place of a square by its number, as the interface defines it. */
static int *at(int board[8][8], int number) {
    int y = (number - 1) / 4, x = 6 + y % 2 - 2 * ((number - 1) % 4);
    return &board[x][y];
}

static void print_board(int board[8][8]) {
    for (int number = 1; number <= 32; number++) {
        int piece = *at(board, number);
        const char *letters = piece & KING ? ".WB" : ".wb";
        putchar(letters[piece & 3]);
    }
}

static void read_board(const char *text, int board[8][8]) {
    memset(board, 0, 64 * sizeof(int));
    for (int number = 1; number <= 32; number++) {
        const char *letter = strchr("wbWB", text[number - 1]);
        int kind = letter ? (int)(letter - "wbWB") : -1;
        *at(board, number) = kind < 0 ? 0 : (kind % 2 ? BLACK : WHITE) | (kind < 2 ? MAN : KING);
    }
}

static void start_board(int board[8][8]) {
    read_board("bbbbbbbbbbbb........wwwwwwwwwwww", board);
}

/* The setup in square numbers. */
static void setup(int board[8][8], int colour, char *text) {
    text += sprintf(text, "%c", colour == BLACK ? 'B' : 'W');
    for (int side = WHITE; side <= BLACK; side++) {
        const char *before = "";
        text += sprintf(text, ":%c", side == BLACK ? 'B' : 'W');
        for (int number = 1; number <= 32; number++) {
            int piece = *at(board, number);
            if ((piece & 3) != side) continue;
            text += sprintf(text, "%s%s%d", before, piece & KING ? "K" : "", number);
            before = ",";
        }
    }
}

/* Whether both boards differ by a move of a king that captures nothing. */
static int is_reversible(int before[8][8], int after[8][8]) {
    int from = 0, to = 0, others = 0;
    for (int number = 1; number <= 32; number++) {
        int old = *at(before, number), new = *at(after, number);
        if (old == new) continue;
        if (!new && old & KING) from++;
        else if (!old && new & KING) to++;
        else others++;
    }
    return from == 1 && to == 1 && !others;
}

/* How much longer a sleep of a few milliseconds has lasted, at most: what the machine adds to any wait. */
static volatile double jitter;

static THREAD sleep_on(void *argument) {
    (void)argument;
    for (;;) {
        const int ms = 5;
        double began = now();
        PAUSE(ms);
        double longer = now() - began - ms;
        if (longer > jitter) jitter = longer;
    }
    return 0;
}

static void play(int games, double seconds, int info, int more, int is_duel) {
    char line[256], text[1024], reply[1024], command[16384];
    thread_t sleeper;
    START(&sleeper, sleep_on, NULL);
    for (int game = 0; game < games; game++) {
        int board[8][8], colour = BLACK, playnow = 0;
        long left[3] = {0, more >> 16 & 0xffff, more >> 16 & 0xffff};
        start_board(board);
        if (fgets(line, sizeof line, stdin) && strlen(line) >= 34) {
            read_board(line, board);
            colour = line[33] == 'w' ? WHITE : BLACK;
        }
        printf("game\n");
        fflush(stdout);
        char history[16000];
        setup(board, colour, history);
        for (int ply = 0; ply < 200; ply++) {
            int before[8][8];
            memcpy(before, board, sizeof board);
            if (is_duel && (game + ply) % 2) {
                if (!fgets(line, sizeof line, stdin) || strlen(line) < 32) break;
                read_board(line, board);
            } else {
                snprintf(command, sizeof command, "set gamehist %s", history);
                if (!enginecommand(command, reply)) fail("gamehist is not handled");
                struct move move;
                jitter = 0;
                double began = now();
                int arguments = info & 12 ? (int)(left[colour] << 16 | (more & 0xffff)) : more;
                int result = getmove(board, colour, seconds, text, &playnow, info, arguments, &move);
                double spent = now() - began;
                if (info & 12) left[colour] += (more & 0xffff) - (long)spent;
                print_board(before);
                printf(" %c %d %.0f ", colour == BLACK ? 'b' : 'w', result, spent);
                print_board(board);
                printf(" %ld %.0f %s\n", info & 12 ? left[colour] : 0, jitter, text);
                fflush(stdout);
                if (result != 3 || !memcmp(before, board, sizeof board)) break;
            }
            colour = WHITE + BLACK - colour;
            if (is_reversible(before, board)) {
                int from = 0, to = 0;
                for (int number = 1; number <= 32; number++) {
                    if (*at(before, number) && !*at(board, number)) from = number;
                    if (!*at(before, number) && *at(board, number)) to = number;
                }
                sprintf(history + strlen(history), " %d-%d", from, to);
            } else {
                setup(board, colour, history);
            }
        }
    }
}

struct asking { int *playnow; double asked; };

static THREAD ask(void *argument) {
    struct asking *asking = argument;
    PAUSE(50);
    asking->asked = now();
    *(volatile int *)asking->playnow = 1;
    return 0;
}

static void play_now(int times) {
    char reply[1024];
    enginecommand("set book 0", reply);
    for (int i = 0; i < times; i++) {
        int board[8][8], playnow = 0;
        char text[1024];
        struct move move;
        struct asking asking = {&playnow, 0};
        thread_t thread;
        start_board(board);
        START(&thread, ask, &asking);
        getmove(board, BLACK, 20, text, &playnow, 2, 0, &move);
        double came = now();
        JOIN(thread);
        printf("%.0f\n", came - asking.asked);
    }
}

/* A search of the first position in a thread. */
struct search { double seconds; char text[1024]; volatile int has_ended; };

static THREAD search(void *argument) {
    struct search *search = argument;
    int board[8][8], playnow = 0;
    struct move move;
    start_board(board);
    getmove(board, BLACK, search->seconds, search->text, &playnow, 2, 0, &move);
    search->has_ended = 1;
    return 0;
}

static void show_status(double seconds) {
    char reply[1024], shown[1024] = "", seen[2][1024];
    struct search searching = {seconds, "", 0};
    thread_t thread;
    enginecommand("set book 0", reply);
    double began = now();
    START(&thread, search, &searching);
    while (!searching.has_ended) {
        PAUSE(5);
        /* The line may be read while it is written. */
        memcpy(seen[0], searching.text, sizeof seen[0]);
        memcpy(seen[1], searching.text, sizeof seen[1]);
        if (!strcmp(seen[0], seen[1]) && strcmp(seen[0], shown)) {
            strcpy(shown, seen[0]);
            printf("%.0f %s\n", now() - began, shown);
        }
    }
    JOIN(thread);
}

/* The number of threads of this process. Prints their priorities if they are asked for. */
static int count_threads(int prints) {
    int count = 0;
#ifdef _WIN32
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = {.dwSize = sizeof entry};
    for (BOOL more = Thread32First(all, &entry); more; more = Thread32Next(all, &entry)) {
        if (entry.th32OwnerProcessID != GetCurrentProcessId()) continue;
        count++;
        HANDLE thread = prints ? OpenThread(THREAD_QUERY_INFORMATION, FALSE, entry.th32ThreadID) : NULL;
        if (!thread) continue;
        printf("%d\n", GetThreadPriority(thread));
        CloseHandle(thread);
    }
    CloseHandle(all);
#else
    (void)prints;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; (task = readdir(tasks));) count += *task->d_name != '.';
    closedir(tasks);
#endif
    return count;
}

/* Starts the threads of Windows for timers, of which the library uses one. */
#ifdef _WIN32
static void CALLBACK do_nothing(void *argument, BOOLEAN fired) {
    (void)argument, (void)fired;
}
static void begin_timers(void) {
    HANDLE timer;
    CreateTimerQueueTimer(&timer, NULL, do_nothing, NULL, 0, 1000, 0);
    PAUSE(500);
}
#else
static void begin_timers(void) {}
#endif

static void show_threads(int times) {
    char reply[1024];
    begin_timers();
    enginecommand("set book 0", reply);
    enginecommand("set searchthreads 4", reply);
    int before = count_threads(0), most = 0;
    for (int i = 0; i < times; i++) {
        struct search searching = {0.003, "", 0};
        search(&searching);
        int left = count_threads(0) - before;
        if (left > most) most = left;
    }
    printf("%d\n", most);
}

static void show_priority(void) {
    char reply[1024];
    begin_timers();
    enginecommand("set book 0", reply);
    enginecommand("set searchthreads 4", reply);
#ifdef _WIN32
    struct search searching = {1, "", 0};
    HANDLE thread = CreateThread(NULL, 0, search, &searching, CREATE_SUSPENDED, NULL);
    SetThreadPriority(thread, THREAD_PRIORITY_BELOW_NORMAL);
    ResumeThread(thread);
    PAUSE(500);
    count_threads(1);
    JOIN(thread);
#endif
}

/* Random numbers that are the same in every run (xorshift). */
static uint32_t next(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

struct noise { uint32_t seed; int calls; };

static THREAD make_noise(void *argument) {
    static const char *const words[] = {"set", "get", "hashsize", "gamehist", "staticevaluation", "1", "book",
        "searchthreads", "allscores", "name", "about", "B:W21:B1", "dbpath", "-5", "9999999999", "21-17", "W:WK1:BK32"};
    struct noise *noise = argument;
    uint32_t state = noise->seed;
    unsigned char guarded[1024 + 2 * GUARD];
    char *text = (char *)guarded + GUARD, *command = malloc(20000);
    for (int call = 0; call < noise->calls; call++) {
        memset(guarded, 0xa5, sizeof guarded);
        if (next(&state) % 2) {
            size_t length = 0;
            if (next(&state) % 4) {
                for (uint32_t i = next(&state) % 6; i; i--)
                    length += sprintf(command + length, "%s ", words[next(&state) % (sizeof words / sizeof *words)]);
            } else {
                size_t most = next(&state) % 8 ? 300 : 16384;
                for (length = 0; length < most; length++) command[length] = next(&state) % 255 + 1;
            }
            command[length] = 0;
            enginecommand(command, text);
            /* The next searches are to be short. */
            enginecommand("set hashsize 1", text);
            enginecommand("set searchthreads 1", text);
            enginecommand("set dbpath ", text);
            enginecommand("set bookfile ", text);
        } else {
            int board[8][8], guard[8], playnow = next(&state) % 8 == 0;
            struct move move;
            start_board(board);
            for (uint32_t i = next(&state) % 40; i; i--)
                *at(board, next(&state) % 32 + 1) = next(&state) % 4 ? (int[]){0, 5, 6, 9, 10}[next(&state) % 5] : (int)next(&state);
            if (next(&state) % 16 == 0) board[next(&state) % 8][next(&state) % 8] = 6;
            memset(guard, 0x5a, sizeof guard);
            int colour = next(&state) % 8 ? 1 + (int)(next(&state) % 2) : (int)next(&state);
            double seconds = (double[]){0, 0.001, 0.003, -1, NAN}[next(&state) % 5];
            if (next(&state) % 4)
                getmove(board, colour, seconds, text, &playnow, next(&state) & ~12, next(&state), next(&state) % 2 ? &move : NULL);
            else
                islegal(board, colour, (int)(next(&state) % 40) - 4, (int)(next(&state) % 40) - 4, &move);
        }
        for (int i = 0; i < GUARD; i++)
            if (guarded[i] != 0xa5 || guarded[sizeof guarded - 1 - i] != 0xa5) fail("a byte beyond the buffer was written");
    }
    free(command);
    return 0;
}

static void unload_in_thought(const char *name, int times) {
    uint32_t state = 1;
    for (int i = 0; i < times; i++) {
        struct search searching = {0.03, "", 0};
        thread_t thread;
        load(name);
        START(&thread, search, &searching);
        /* The first search keeps the library. Later ones may not have begun, or be about to return. */
        PAUSE(i ? next(&state) % 45 : 20);
        UNLOAD(library);
        JOIN(thread);
    }
    printf("%d times\n", times);
}

/* The memory of this process in KiB; 0 where it is not known. */
static long memory(void) {
#ifdef _WIN32
    PROCESS_MEMORY_COUNTERS counters = {0};
    GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return counters.WorkingSetSize / 1024;
#else
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
        fclose(file);
    }
    return pages * 4;
#endif
}

int main(int count, char **arguments) {
    if (count < 3) fail("expected LIBRARY COMMAND");
    const char *name = arguments[1], *command = arguments[2];
    int number = count > 3 ? atoi(arguments[3]) : 0;
    if (!strcmp(command, "reload")) {
        for (int i = 0; i < number; i++) {
            int board[8][8], playnow = 0;
            char text[1024];
            struct move move;
            load(name);
            start_board(board);
            getmove(board, BLACK, 0.01, text, &playnow, 2, 0, &move);
            UNLOAD(library);
            if (i == number / 2 || i == number - 1) printf("%ld\n", memory());
        }
        return 0;
    }
    if (!strcmp(command, "free")) {
        unload_in_thought(name, number);
        return 0;
    }
    load(name);
    int is_duel = !strcmp(command, "duel");
    if (is_duel || !strcmp(command, "play")) {
        play(number, atof(arguments[4]), atoi(arguments[5]), atoi(arguments[6]), is_duel);
    } else if (!strcmp(command, "answer")) {
        char reply[1024];
        for (int i = 3; i < count; i++) {
            int handled = enginecommand(arguments[i], reply);
            printf("%d %s\n", handled, reply);
        }
    } else if (!strcmp(command, "playnow")) {
        play_now(number);
    } else if (!strcmp(command, "status")) {
        show_status(atof(arguments[3]));
    } else if (!strcmp(command, "threads")) {
        show_threads(number);
    } else if (!strcmp(command, "priority")) {
        show_priority();
    } else if (!strcmp(command, "idle")) {
        char reply[1024];
        struct search searching = {0.1, "", 0};
        enginecommand("set hashsize 512", reply);
        search(&searching);
        printf("%ld\n", memory());
        PAUSE(number * 1000);
        printf("%ld\n", memory());
    } else if (!strcmp(command, "noise")) {
        struct noise noises[2] = {{1, number / 2}, {2, number / 2}};
        thread_t threads[2];
        for (int i = 0; i < 2; i++) START(&threads[i], make_noise, &noises[i]);
        for (int i = 0; i < 2; i++) JOIN(threads[i]);
        printf("%d calls\n", number);
    } else {
        fail("unknown command");
    }
    UNLOAD(library);
    return 0;
}
