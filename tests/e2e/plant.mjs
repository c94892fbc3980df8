// Builds the demo plant of the browser tests once, into the folder PLANT; each file's server starts on a copy of it.
import { addRows, startServer } from './harness.mjs';

const folder = process.env.PLANT;
if (!folder) throw new Error('PLANT names the folder to build the demo plant in');
const server = await startServer({}, folder);
await server.stop();
await addRows(folder);
