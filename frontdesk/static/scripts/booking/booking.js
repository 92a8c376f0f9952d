// A new booking shows what is free while services are chosen. On the calendar it opens in a sheet beside the day, is drawn
// where it will be, and who waits is shown. Without this script the form is a page of its own, and its buttons show it again.
import { findCalendar } from "../calendar/grid.js";
import { find } from "../dom.js";
import { listenToForm, prepareForm } from "./form.js";
import { listenBesideCalendar } from "./sheet.js";
import { loadWaitingList } from "./waiting-list.js";

listenToForm();
const isBesideCalendar = findCalendar() && find("#side");
if (isBesideCalendar) listenBesideCalendar();
if (isBesideCalendar || find("#waiting[data-panel]")) {
  document.addEventListener("frontdesk:changed", loadWaitingList);
  loadWaitingList();
}
prepareForm();
