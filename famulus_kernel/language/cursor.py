"""A cursor in one line of text that knows columns: a container may use up half a tab (CommonMark)."""

from __future__ import annotations

TAB = 4


class LineCursor:
    """Walks over the blanks of a line.

    Attributes
    ----------
    position, column
        The next character, and the column it stands in.
    end
        Offset behind the line's last character, without its line break.
    half_tab
        Whether `column` lies inside the tab at `position`.
    word, word_column
        The next character that is no blank, as :meth:`look` found it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.begin(0, 0)

    def begin(self, start: int, end: int) -> None:
        """Stand at the beginning of a line."""
        self.position, self.column, self.end = start, 0, end
        self.half_tab = False
        self.word, self.word_column = -1, 0

    def look(self) -> None:
        """Find the next character that is no blank; what was found holds until the cursor has passed it."""
        position, column, text, end = self.position, self.column, self.text, self.end
        if self.word >= position:
            return
        while position < end:
            char = text[position]
            if char == " ":
                column += 1
            elif char == "\t":
                column += TAB - column % TAB
            else:
                break
            position += 1
        self.word, self.word_column = position, column

    @property
    def indent(self) -> int:
        """Columns from the cursor to the next word."""
        return self.word_column - self.column

    @property
    def blank(self) -> bool:
        """Whether the rest of the line is blank."""
        return self.word >= self.end

    def advance(self, columns: int) -> None:
        """Move over blanks by so many columns, or as far as they reach."""
        target = min(self.column + columns, self.word_column)
        while self.column < target:
            if self.text[self.position] == "\t":
                stop = self.column + TAB - self.column % TAB
                self.half_tab = stop > target
                self.column = min(stop, target)
                if self.half_tab:
                    return
            else:
                self.column += 1
            self.position += 1

    def jump(self, characters: int) -> None:
        """Move to the next word and over so many characters of it."""
        self.position = self.word + characters
        self.column = self.word_column + characters
        self.half_tab = False
        self.word = -1
