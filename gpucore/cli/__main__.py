"""``python -m gpucore.cli`` is ``warplens``, installed or not."""

from gpucore.cli import main

if __name__ == "__main__":
    main()
