"""Class: join one, start one, and the teacher's board."""

from pages.classroom import entrance, teaching
from pages.shared.layout import page

page.head("class")
me = entrance.membership()
if me is None:
    entrance.entrance()
elif me.teacher:
    teaching.teaching(me)
else:
    entrance.joined(me)
