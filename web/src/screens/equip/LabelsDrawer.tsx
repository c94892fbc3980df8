/** Labels of plates for the printer. */
import { Alert } from 'antd';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { equiptags } from '@/api/nouns/equiptags';
import { useTranslation } from '@/i18n';
import type { Label } from '@/screens/shared/labels';
import { PrintLabels } from '@/screens/shared/PrintLabels';

type Plate = RowOf<typeof equiptags>;

/** A plate without a printed code. */
export const NFC = 2;
/** What stands on the label of a plate: what it is bound to, or its own name, and the code that can be typed. */
function labelOf(plate: Plate): Label {
  const { bindName, bindCode, tagName, tagCode, token } = plate;
  const lines = [bindName || tagName, bindCode, tagCode].filter((line): line is string => Boolean(line));
  return { address: `${window.location.origin}/scan/${token}`, lines };
}

export function LabelsDrawer({ plates, onClose }: { plates: readonly Plate[]; onClose: () => void }) {
  const { t } = useTranslation();
  const printed = plates.filter(({ carrier }) => carrier !== NFC);
  const left = plates.length - printed.length;
  return (
    <PrintLabels
      title={t('plates.printTitle', { count: printed.length })}
      note={
        left > 0 ? <Alert type="warning" showIcon title={t('plates.noQr', { count: left })} /> : undefined
      }
      name={t('plates.pdfName')}
      labels={printed.map(labelOf)}
      onPrinted={() => api.post(`${equiptags.path}/printed`, undefined, { ids: printed.map(({ id }) => id) })}
      invalidates={[[equiptags.name]]}
      onClose={onClose}
    />
  );
}
