// After a sale the till begins with an empty cart.
import { forgetCart, reloadOnReturn } from "./kept-cart.js";

forgetCart();
reloadOnReturn();
