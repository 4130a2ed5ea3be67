"""Training: a bot learns a game by self-play and can then play at any table.

    with workers_for() as workers:
        trained = train("sorcery", "my-bot", workers)
    print(trained.policy)

The command `tabletop train` does the same. Training needs the extra `train`. Playing with the
learnt bot (`--bot 2=learnt:my-bot/policy.npz`) needs only the extra `envs`.
"""

from tabletop.training.training import MOST_PLIES, Point, Trained, train

__all__ = ["MOST_PLIES", "Point", "Trained", "train"]
