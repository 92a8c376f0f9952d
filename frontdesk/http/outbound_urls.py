from frontdesk.http.request import AppState
from frontdesk.net.safe_url import UrlRejected, validate_url


async def check_outbound_url(resources: AppState, url: str) -> None:
    """Rejects the field `url` if the service will not send requests there."""
    try:
        await validate_url(url, resources.dns.resolve, allow_private=resources.settings.webhook_allow_private)
    except UrlRejected as rejected:
        raise rejected.within("url") from rejected
