"""A plugin of amqtt in place of rules for mosquitto; amqtt loads it by its name."""

from amqtt.contexts import Action
from amqtt.plugins.base import BaseTopicPlugin
from amqtt.session import Session

from firmware.link.broker.topics import ROOT


class OursAlone(BaseTopicPlugin):  # type: ignore[misc]
    """Lets anybody publish and subscribe to topics of handhelds, and to no others."""

    async def topic_filtering(
        self,
        *,
        session: Session | None = None,
        topic: str | None = None,
        action: Action | None = None,
    ) -> bool | None:
        """Return whether a topic, or a filter of topics, is one of handhelds."""
        allowed = await super().topic_filtering(session=session, topic=topic, action=action)
        return bool(allowed and topic and topic.startswith(f"{ROOT}/"))
