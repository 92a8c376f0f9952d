"""What the acts of operators are called."""

from collections.abc import Mapping

from frontdesk.activity.operator_act_queries import OperatorAct
from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.components.plan_labels import PLANS
from frontdesk.ui.components.role_labels import ROLES

ACTIONS: Mapping[str, str] = {
    "business.created": N_("opened the business %(subject)s"),
    "business.plan_changed": N_("changed the plan of %(subject)s"),
    "business.suspended": N_("suspended the business %(subject)s"),
    "business.resumed": N_("let the business %(subject)s work again"),
    "business.deleted": N_("deleted the business %(subject)s"),
    "business.owner_invited": N_("invited an owner of %(subject)s"),
    "business.exported": N_("exported the business %(subject)s as an archive"),
    "business.restored": N_("made the business %(subject)s from an archive"),
    "api_client.created": N_("created an API client of %(subject)s"),
    "api_client.secret_rotated": N_("replaced the secret of an API client of %(subject)s"),
    "api_client.scopes_changed": N_("changed the scopes of an API client of %(subject)s"),
    "api_client.disabled": N_("disabled an API client of %(subject)s"),
    "api_client.enabled": N_("enabled an API client of %(subject)s again"),
    "api_client.deleted": N_("deleted an API client of %(subject)s"),
    "api_key.created": N_("created an API key of %(subject)s"),
    "api_key.revoked": N_("revoked an API key of %(subject)s"),
    "user.created": N_("created the account of %(subject)s"),
    "user.disabled": N_("disabled the account of %(subject)s"),
    "user.enabled": N_("enabled the account of %(subject)s again"),
    "user.password_set": N_("set a new password of %(subject)s"),
    "user.reset_link_created": N_("created a link with which %(subject)s sets a new password"),
    "user.verification_link_created": N_("created a link that verifies the address of %(subject)s"),
    "user.second_factor_removed": N_("removed the second factor of %(subject)s"),
    "user.signed_out": N_("signed out %(subject)s everywhere"),
    "member.added": N_("made %(subject)s a member"),
    "member.deleted": N_("removed %(subject)s"),
    "operator.created": N_("created the operator %(subject)s"),
    "operator.granted": N_("made %(subject)s an operator"),
    "operator.revoked": N_("ended the rights of the operator %(subject)s"),
    "message.read": N_("read a message to %(subject)s that was not sent"),
    "application.approved": N_("approved the application %(subject)s"),
    "application.rejected": N_("rejected the application %(subject)s"),
    "application.suspended": N_("suspended the application %(subject)s"),
    "application.report_closed": N_("closed a report about the application %(subject)s"),
    "application.noted": N_("changed the note about the application %(subject)s"),
    "sending.resumed": N_("let mail and webhooks be sent"),
    "sending.held": N_("stopped the sending of mail and webhooks"),
    "secrets.reencrypted": N_("encrypted all secrets again"),
    "database.restored": N_("restored the database"),
    "database.backed_up": N_("wrote a backup of the database"),
    "database.migrated": N_("brought the database up to date"),
    "database.distributed": N_("distributed the database over the nodes of its cluster"),
    "cluster.node_added": N_("added a node to the cluster"),
    "cluster.business_moved": N_("moved a business to another node"),
    "cluster.business_isolated": N_("gave a business a shard of its own"),
    "cluster.rebalanced": N_("spread the businesses evenly over the nodes"),
    "command.failed": N_("ran a command that failed"),
    "pictures.moved": N_("moved pictures"),
    "pictures.unused_removed": N_("had unused pictures removed from the bucket"),
}
# Details that are words of the product; others are names, files and what an operator typed.
_WORDS = {
    **{plan.value: label for plan, (label, _) in PLANS.items()},
    **{role.value: label for role, (label, _) in ROLES.items()},
}
# What the filter offers: a label, and the nouns of its actions.
GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "business": (N_("Businesses"), ("business",)),
    "people": (N_("People"), ("user", "member", "operator", "message")),
    "application": (N_("Applications and API"), ("application", "api_client", "api_key")),
    "installation": (N_("Installation"), ("sending", "secrets", "database", "cluster", "pictures", "command")),
}


def sentence(act: OperatorAct, language: str) -> str:
    """A version before or after this one may have acts without a text."""
    text = ACTIONS.get(act.action)
    return translate(language, text) % {"subject": act.subject} if text else f"{act.action} {act.subject or ''}"


def detail(act: OperatorAct, language: str) -> str | None:
    return translate(language, _WORDS[act.detail]) if act.detail in _WORDS else act.detail


def page_of(act: OperatorAct) -> str | None:
    """Of the account or the business, unless the business is gone."""
    if act.user_id is not None:
        return f"/operator/users/{act.user_id}"
    return f"/operator/tenants/{act.business_id}" if act.business_id and act.action != "business.deleted" else None
