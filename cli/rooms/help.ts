import { DEFAULT_SERVER } from "../flags.ts";

export const ROOMS_HELP = `npm run rooms -- COMMAND [flags]

Makes, shows and steers the rooms of a deployment.

  apply FILE [--prune]     makes the rooms like the file, and shows first what changes;
                           --prune also deletes the rooms that the file does not name;
                           --dry-run only shows it (with --exit-code: 3 if anything changes)
  set NAME SETTING=VALUE…  changes settings, as in total_active_users=50 seiriken.strict=true;
                           null takes one back to its default
  list                     every room, with its limits; --deleted: those that can be restored
  delete NAME              for a day it can be restored
  restore NAME             brings a deleted room back, with its id and its numbers (or by its id)
  status [NAME]            who waits and who visits; --watch: a line each second (needs NAME)
  history NAME             a line for each minute of the last hour in which anything happened;
                           --since 6h (90m, 2d, 2026-11-20T09:00Z), --until, --csv; a week at most,
                           45 days with --step hour or --step day
  events NAME              what is planned; events NAME show EVENT: one of them, with all that holds then
  events NAME add EVENT start=TIME end=TIME [prequeue=TIME] [SETTING=VALUE…]
  events NAME change EVENT SETTING=VALUE…       null takes an override away
  events NAME remove EVENT
                           TIME is 2026-11-28T20:00 (this machine's time zone) or with an offset
  rules NAME               which requests pass the room by, in order
  rules NAME add EXPRESSION [description=TEXT] [enabled=false] [place=1]
  rules NAME change PLACE SETTING=VALUE…        PLACE as the list shows it, or the rule's id
  rules NAME remove PLACE
  visits end NAME VISIT    ends one visit (its number); the permit goes to the next in line
  find NAME WHO            where a visitor stands and why; WHO is a number, or the eight letters
                           that its page shows
  more NAME WHO MINUTES    more time for a visit, or for a number whose turn it is
  call-again NAME WHO      forgets missed calls: it has its turn where its number stands
  end NAME WHO             ends its visit, or takes its number out of the line
  revoke-all NAME          ends every visit; tickets stay
  pace NAME                what lowers the limits just now, and the last changes
  pace NAME permits=20 ttl_seconds=600 reason="TEXT"
                           lowers limits for a while: permits, starts_per_second,
                           new_users_per_minute, stock_left; --clear takes it back
  pause NAME               nobody is called, nobody enters; everyone waits
  resume NAME              calls again
  suspend NAME             everyone goes straight to the site
  unsuspend NAME           the room works again
  close NAME "TEXT"        no more tickets, nobody is called; the page shows the text
  open NAME                takes tickets again
  message NAME "TEXT"      shows a text on the page; --clear takes it away
  preview FILE             a link to look at a page of one's own, for an hour

  --server URL   the deployment (SEIRIKEN_SERVER; default ${DEFAULT_SERVER})
  --token-file FILE   holds its ADMIN_TOKEN (or the variable ADMIN_TOKEN; or --token TOKEN, which
                 everybody on the machine can read in the list of processes)
  --yes          agrees beforehand to what apply, set, delete, suspend, events and revoke-all ask
  --json         list, status, history, events, rules and find as JSON
  --help         this text

apply leaves pause, suspend, message and close as they are, unless the file names them
(queue_all, suspended, seiriken.message, seiriken.closed); then it asks.
Exit codes: 0 done, 1 not done, 2 called wrongly, 3 see --exit-code, 130 stopped by Ctrl-C.`;
