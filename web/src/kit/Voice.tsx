/** A recording to listen to. How long it is stands beside it: what browsers record does not say it by itself. */
import { useTranslation } from '@/i18n';
import { clockTime } from '@/lib/duration';
import { useShownPhoto } from './photoStore';

export function Voice({ link, seconds }: { link: string; seconds: number | null }) {
  const { t } = useTranslation();
  return (
    <div className="x-voice">
      {/* biome-ignore lint/a11y/useMediaCaption: nobody writes down what was said */}
      <audio controls preload="metadata" src={useShownPhoto(link)} aria-label={t('kit.voice.listen')} />
      {seconds !== null && <span className="x-quiet x-nowrap">{clockTime(seconds)}</span>}
    </div>
  );
}
