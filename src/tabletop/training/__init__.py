"""Training that ends at the table: a bot learns a game by self-play, and any table seats it.

    with workers_for() as workers:
        trained = train("sorcery", "my-bot", workers)
    print(trained.policy)

`tabletop train` is the same as a command. It needs the extra `train`; who plays with what was
learnt (`--bot 2=learnt:my-bot/policy.npz`) needs no more than `envs`.
"""

from tabletop.training.training import MOST_PLIES, Point, Trained, train

__all__ = ["MOST_PLIES", "Point", "Trained", "train"]
