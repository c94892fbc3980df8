/** What did not reach the server the last time, offered before anybody draws on: it would be written over. */
import { Button, Modal } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from '@/i18n';
import { save } from '@/lib/save';
import type { Kept } from '../saving/kept';

interface KeptDialogProps {
  kept: Kept;
  /** The version that the server has now. */
  version: number;
  file: string;
  onTake: () => void;
  onDrop: () => void;
}

export default function KeptDialog({ kept, version, file, onTake, onDrop }: KeptDialogProps) {
  const { t } = useTranslation();
  const drop = () => {
    save({ blob: new Blob([kept.xml], { type: 'application/xml' }), name: file });
    onDrop();
  };
  return (
    <Modal
      open
      centered
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      title={t('designer.kept.title')}
      footer={[
        <Button key="drop" onClick={drop}>
          {t('designer.kept.drop')}
        </Button>,
        <Button key="take" type="primary" onClick={onTake}>
          {t('designer.kept.take')}
        </Button>,
      ]}
    >
      <p>{t('designer.kept.what', { time: dayjs(kept.time).format('YYYY-MM-DD HH:mm') })}</p>
      {kept.version !== version && <p>{t('designer.kept.older', { from: kept.version, to: version })}</p>}
    </Modal>
  );
}
