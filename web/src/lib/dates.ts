/** Moments as the wire writes them (`yyyy-MM-dd HH:mm:ss`) and as people read them (`yyyy-MM-dd HH:mm`). */
import dayjs, { type Dayjs } from 'dayjs';

export const WIRE = 'YYYY-MM-DD HH:mm:ss';

/** `-` when unknown; seconds are left out. */
export function moment(text: string | null | undefined): string {
  return text ? text.slice(0, 16) : '-';
}

export function fromWire(text: string | null | undefined): Dayjs | undefined {
  const value = text ? dayjs(text) : undefined;
  return value?.isValid() ? value : undefined;
}

export function toWire(value: Dayjs | null | undefined): string | undefined {
  return value ? value.format(WIRE) : undefined;
}
