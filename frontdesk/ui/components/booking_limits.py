import datetime as dt

from frontdesk.i18n.texts import N_

MAX_AHEAD = dt.timedelta(days=2 * 366)
TOO_LATE = N_("Choose a day within two years.")
