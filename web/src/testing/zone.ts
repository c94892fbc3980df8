/** Sets the zone of all tests, before their workers start: not UTC, so that a moment in the wrong zone is seen. */
export default function setZone(): void {
  process.env.TZ = 'Asia/Shanghai';
}
