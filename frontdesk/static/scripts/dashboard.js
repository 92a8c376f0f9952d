// What every page of the dashboard does. Each page works without it.
import "./forms/typed-values.js";
import "./forms/sent-once.js";
import "./copy.js";
import "./menus.js";
import "./keys.js";
import "./forms/sending.js";
import "./bell.js";
