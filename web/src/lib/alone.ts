/** Work that one tab of this browser does at a time. */

/** The browser's own locks exist on secure origins only; a plant's plain http address has to do with a lease in storage,
 * which ends after so many milliseconds, and whoever finds it held does nothing. */
export async function alone(name: string, lease: number, work: () => Promise<void>): Promise<void> {
  if (navigator.locks) {
    await navigator.locks.request(name, work);
    return;
  }
  const held = Number(localStorage.getItem(name)?.split(' ')[0] ?? 0);
  if (held > Date.now()) return;
  const mine = `${Date.now() + lease} ${Math.random()}`;
  localStorage.setItem(name, mine);
  // Two tabs may have written in the same moment: the last one stays.
  await new Promise((resolve) => setTimeout(resolve, 60));
  if (localStorage.getItem(name) !== mine) return;
  try {
    await work();
  } finally {
    if (localStorage.getItem(name) === mine) localStorage.removeItem(name);
  }
}
