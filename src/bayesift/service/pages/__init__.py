"""The pages: lists of topics and documents, the inbox, a topic, a text to try.

Every change is a form that is posted and answered by a redirection, so that pages work without the script; the script
sends the same forms and asks for the inbox only (`X-Fragment`).
"""

from bayesift.service.pages import documents, inbox, topic, topics

ROUTERS = (topics.router, inbox.router, topic.router, documents.router)
