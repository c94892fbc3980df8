/** Signing by hand: what is drawn in the box is sent as a picture when the finger lifts. */
import { Button } from 'antd';
import { type PointerEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useUploads } from '@/kit/form';
import { Photos } from '@/kit/Photos';
import { PhotosInput } from '@/kit/PhotosInput';
import { ErrorLine } from '@/kit/states';

const [WIDTH, HEIGHT] = [600, 200];
/** So long a finger rests before what it drew is sent. */
const PAUSE = 700;

interface SignInputProps {
  id?: string;
  value?: readonly string[];
  onChange?: (links: string[]) => void;
}

export function SignInput({ id, value = [], onChange }: SignInputProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const countUploads = useUploads();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const at = (event: PointerEvent<HTMLCanvasElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * WIDTH,
      ((event.clientY - box.top) / box.height) * HEIGHT,
    ];
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    clearTimeout(waiting.current);
    event.currentTarget.setPointerCapture(event.pointerId);
    const pen = event.currentTarget.getContext('2d');
    if (!pen) return;
    pen.lineWidth = 4;
    pen.lineCap = 'round';
    pen.strokeStyle = '#1f2329';
    pen.beginPath();
    pen.moveTo(...at(event));
  };
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const pen = event.currentTarget.getContext('2d');
    pen?.lineTo(...at(event));
    pen?.stroke();
  };
  const send = async () => {
    const drawn = await new Promise<Blob | null>((done) =>
      canvas.current ? canvas.current.toBlob(done, 'image/png') : done(null),
    );
    if (!drawn) return;
    setBusy(true);
    setError(undefined);
    countUploads(1);
    try {
      const file = new File([drawn], 'signature.png', { type: 'image/png' });
      const { link } = await api.upload('/blade-resource/oss/endpoint/put-file', file, {});
      onChange?.([link]);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
      countUploads(-1);
    }
  };
  const end = () => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(send, PAUSE);
  };

  if (value.length > 0)
    return (
      <div id={id} tabIndex={-1} className="x-sign">
        <Photos links={[...value]} />
        <Button onClick={() => onChange?.([])}>{t('maintain.work.signAgain')}</Button>
      </div>
    );
  return (
    <div id={id} tabIndex={-1} className="x-sign">
      <canvas
        ref={canvas}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={t('maintain.work.signLabel')}
        aria-busy={busy}
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
      />
      <div className="x-quiet">{t('maintain.work.sign')}</div>
      {Boolean(error) && <ErrorLine error={error} />}
      {/* Who cannot draw brings a picture. */}
      <div className="x-quiet">{t('maintain.work.signFile')}</div>
      <PhotosInput max={1} value={value} onChange={onChange} />
    </div>
  );
}
