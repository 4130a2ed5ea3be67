/* Plays every game of the course's Left, Center, Right for one number of players, in the same loop
   as `lcr.sweep` but without NumPy. The output is that of `lcr sweep --json` for these players.

       gcc -O2 -o lcr_sweep lcr_sweep.c && ./lcr_sweep 4 */

#include <stdio.h>
#include <stdlib.h>

enum { PERIOD = 1000000, MOST_PLAYERS = 11 };

typedef enum { DOT, LEFT, CENTER, RIGHT } Face;

static const Face die[6] = { DOT, DOT, DOT, LEFT, CENTER, RIGHT };

typedef struct {
    int winner;
    int turns;
    int rolls;
} Game;

static Game play(int players, unsigned seed) {
    int chips[MOST_PLAYERS];
    int with_chips = players;
    unsigned number = seed % PERIOD;
    Game game = { 0, 0, 0 };
    for (int seat = 0; seat < players; seat += 1) {
        chips[seat] = 3;
    }
    for (int seat = 0;; seat = (seat + 1) % players) {
        if (chips[seat] == 0) {
            continue;
        }
        int dice = chips[seat] < 3 ? chips[seat] : 3;
        for (int rolled = 0; rolled < dice; rolled += 1) {
            number = (9821u * (unsigned long) number + 211327u) % PERIOD;
            Face face = die[number % 6];
            if (face == DOT) {
                continue;
            }
            chips[seat] -= 1;
            if (face == LEFT) {
                chips[(seat + 1) % players] += 1;
            } else if (face == RIGHT) {
                chips[(seat + players - 1) % players] += 1;
            }
        }
        game.turns += 1;
        game.rolls += dice;
        with_chips = 0;
        for (int other = 0; other < players; other += 1) {
            if (chips[other] > 0) {
                with_chips += 1;
                game.winner = other;
            }
        }
        if (with_chips == 1) {
            return game;
        }
    }
}

int main(int argc, char **argv) {
    int players = argc > 1 ? atoi(argv[1]) : 4;
    if (players < 3 || players > MOST_PLAYERS) {
        fprintf(stderr, "the number of players must be from 3 to %d\n", MOST_PLAYERS);
        return 2;
    }
    long winners[MOST_PLAYERS] = { 0 };
    long turns = 0, rolls = 0;
    Game shortest = { 0, 0, 0 }, longest = { 0, 0, 0 };
    unsigned shortest_seed = 0, longest_seed = 0;
    for (unsigned seed = 0; seed < PERIOD; seed += 1) {
        Game game = play(players, seed);
        winners[game.winner] += 1;
        turns += game.turns;
        rolls += game.rolls;
        if (seed == 0 || game.turns < shortest.turns) {
            shortest = game;
            shortest_seed = seed;
        }
        if (seed == 0 || game.turns > longest.turns) {
            longest = game;
            longest_seed = seed;
        }
    }
    printf("[{\"players\": %d, \"turns_min\": %d, \"turns_min_seed\": %u, ", players,
        shortest.turns, shortest_seed);
    printf("\"turns_max\": %d, \"turns_max_seed\": %u, ", longest.turns, longest_seed);
    printf("\"turns_total\": %ld, \"rolls_total\": %ld, \"winners\": [", turns, rolls);
    for (int seat = 0; seat < players; seat += 1) {
        printf("%s%ld", seat > 0 ? ", " : "", winners[seat]);
    }
    printf("]}]\n");
    return 0;
}
