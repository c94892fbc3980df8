/** From when to when a machine stood, or since when it stands. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { moment } from '@/lib/dates';

export function StopSpan({ stop }: { stop: Wire<'Stop'> }) {
  const { t } = useTranslation();
  const since = moment(stop.startTime);
  return stop.endTime
    ? t('repair.stopRange', { since, until: moment(stop.endTime) })
    : t('repair.stopSince', { since });
}
