/** Lengths of time of a history, in words. */
import { useCallback } from 'react';
import { useTranslation } from '@/i18n';
import { durationWords } from '@/lib/duration';

/** Seconds as days, hours and minutes; what is shorter than a minute in seconds. The same function while the language stays. */
export function useDuration(): (seconds: number | null) => string {
  const { t } = useTranslation();
  return useCallback(
    (seconds) => {
      if (seconds !== null && seconds < 60) return t('times.seconds', { n: Math.round(seconds) });
      return durationWords(seconds === null ? null : seconds / 60, {
        day: t('kit.minutes.day'),
        hour: t('kit.minutes.hour'),
        minute: t('kit.minutes.minute'),
        gap: t('kit.minutes.gap'),
      });
    },
    [t],
  );
}
