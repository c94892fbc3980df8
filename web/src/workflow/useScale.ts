/** At which scale a drawing is shown, as the library tells of every change. */
import { useEffect, useState } from 'react';
import type { Canvas, Events, Parts } from './canvas';

/** 1 is the drawing's own size; undefined until there is a drawing. */
export function useScale(parts: Parts | undefined): number | undefined {
  const [scale, setScale] = useState<number>();
  useEffect(() => {
    if (!parts) return;
    const read = () => setScale(parts.get<Canvas>('canvas').zoom());
    read();
    const events = parts.get<Events>('eventBus');
    events.on('canvas.viewbox.changed', read);
    return () => events.off('canvas.viewbox.changed', read);
  }, [parts]);
  return parts && scale;
}
