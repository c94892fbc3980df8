/** Minutes as days, hours and minutes in the person's language. */
import { useTranslation } from '@/i18n';
import { durationWords } from '@/lib/duration';

export function Minutes({ value }: { value: number | null | undefined }) {
  const { t } = useTranslation();
  const units = {
    day: t('kit.minutes.day'),
    hour: t('kit.minutes.hour'),
    minute: t('kit.minutes.minute'),
    gap: t('kit.minutes.gap'),
  };
  return <span className="x-nowrap">{durationWords(value, units)}</span>;
}
