/** The engine's sentences for expressions that cannot be read. */
import { useTranslation } from '@/i18n';
import type { Fault } from './expression';

export function useFault(): (fault: Fault) => string {
  const { t } = useTranslation();
  return (fault) => {
    switch (fault.code) {
      case 'missing':
        return t('panel.fault.missing', { sign: fault.sign });
      case 'function':
      case 'arguments':
        return t(`panel.fault.${fault.code}`, { name: fault.name });
      default:
        return t(`panel.fault.${fault.code}`);
    }
  };
}
