/** Minutes as days, hours and minutes in the person's language. */
import { useTranslation } from '@/i18n';
import { durationWords } from '@/lib/duration';

/** Writes minutes as words. */
export function useDuration(): (minutes: number | null | undefined) => string {
  const { t } = useTranslation();
  const units = {
    day: t('kit.minutes.day'),
    hour: t('kit.minutes.hour'),
    minute: t('kit.minutes.minute'),
    gap: t('kit.minutes.gap'),
  };
  return (minutes) => durationWords(minutes, units);
}

export function Minutes({ value }: { value: number | null | undefined }) {
  const words = useDuration();
  return <span className="x-nowrap">{words(value)}</span>;
}
