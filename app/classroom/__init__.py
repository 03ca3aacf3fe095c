"""A live class: students follow the lecturer's replay in their own browsers and answer questions.

No page process runs for a student. The lecturer's page sends the run once, as the static page of
:mod:`app.published`, then every step; the server passes both on. It keeps classes in memory only.
"""
