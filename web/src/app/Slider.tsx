/** The slider captcha: a piece is moved to its place with finger, mouse or arrow keys. */
import { ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';

export interface SliderPicture {
  key: string;
  bgImage: string;
  sliderImage: string;
  bgWidth: number;
  bgHeight: number;
  sliderWidth: number;
  sliderHeight: number;
  sliderY: number;
}

interface SliderProps {
  picture: SliderPicture;
  /** The offset of the piece in pixels of the background; undefined until it was moved. */
  value: number | undefined;
  onChange: (x: number) => void;
  onReload: () => void;
}

const STEP = 2;
const LEAP = 10;

export function Slider({ picture, value, onChange, onReload }: SliderProps) {
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const most = picture.bgWidth - picture.sliderWidth;
  const x = value ?? 0;
  const to = (next: number) => onChange(Math.round(Math.min(most, Math.max(0, next))));

  const grab = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    // The picture may be drawn smaller than it is.
    const scale = picture.bgWidth / (track.current?.clientWidth || picture.bgWidth);
    const from = event.clientX - x / scale;
    handle.setPointerCapture(event.pointerId);
    setHeld(true);
    handle.onpointermove = (move) => to((move.clientX - from) * scale);
    // Cancelled when the browser takes the finger for itself.
    handle.onpointerup = handle.onpointercancel = () => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      setHeld(false);
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LEAP : STEP;
    const [less, more] = [x - step, x + step];
    const moves: Record<string, number> = {
      ArrowLeft: less,
      ArrowDown: less,
      ArrowRight: more,
      ArrowUp: more,
      Home: 0,
      End: most,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      to(next);
    }
  };
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div className="x-slider">
      <div className="x-slider-picture" style={{ aspectRatio: `${picture.bgWidth} / ${picture.bgHeight}` }}>
        <img src={picture.bgImage} alt="" draggable={false} />
        <img
          src={picture.sliderImage}
          alt=""
          draggable={false}
          className="x-slider-piece"
          style={{
            left: share(x, picture.bgWidth),
            top: share(picture.sliderY, picture.bgHeight),
            width: share(picture.sliderWidth, picture.bgWidth),
          }}
        />
        <Button
          className="x-slider-reload"
          size="small"
          icon={<ReloadOutlined />}
          aria-label={t('app.signIn.sliderReload')}
          onClick={onReload}
        />
      </div>
      <div className="x-slider-track" ref={track}>
        <span>{value === undefined && t('app.signIn.sliderHint')}</span>
        <div
          className={held ? 'x-slider-handle x-slider-held' : 'x-slider-handle'}
          style={{ left: share(x, picture.bgWidth), width: share(picture.sliderWidth, picture.bgWidth) }}
          role="slider"
          tabIndex={0}
          aria-label={t('app.signIn.slider')}
          aria-valuemin={0}
          aria-valuemax={most}
          aria-valuenow={x}
          onPointerDown={grab}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}
