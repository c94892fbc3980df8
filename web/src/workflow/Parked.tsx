/** Why a process stands still, said where its step is handled and over its diagram. */
import { Alert } from 'antd';
import { useTranslation } from '@/i18n';

export function Parked({ text }: { text: string }) {
  const { t } = useTranslation();
  return <Alert type="warning" showIcon title={t('work.parkedBecause', { text })} />;
}
