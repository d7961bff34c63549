/* What unpacks the arrays of a page, as one global name. `build` makes ../inflate.min.js of it. */
import {unzlibSync} from 'fflate';

globalThis.percussInflate = unzlibSync;
