"""python -m claims."""

from claims.cli import main

if __name__ == "__main__":
    main()
