/** What the report of a fault asks back: whether another report is the same. */
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Modal } from '@/kit/overlays';
import { moment } from '@/lib/dates';
import { LIST } from '@/screens/shared/orders';

interface DuplicatesProps {
  answer: unknown;
  again: () => void;
  onClose: () => void;
}

/** Open orders of the machine with the same symptom: probably the same fault. */
export function Duplicates({ answer, again, onClose }: DuplicatesProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { orders } = answer as Wire<'LikelyDuplicate'>;
  return (
    <Modal
      open
      centered
      title={t('repair.report.duplicateTitle')}
      okText={t('repair.report.anyway')}
      cancelText={t('repair.report.back')}
      onOk={again}
      onCancel={onClose}
    >
      <p>{t('repair.report.duplicateNumber', { number: orders.map(({ orderNo }) => orderNo).join(', ') })}</p>
      <ul className="x-plain">
        {orders.map(({ id, title, orderNo, statusName, reportTime }) => (
          <li key={id} className="x-line">
            <div>
              <strong>{title}</strong>
              <div className="x-quiet">
                {orderNo} · {t('repair.report.duplicateOf', { status: statusName, time: moment(reportTime) })}
              </div>
            </div>
            <Button onClick={() => navigate(`${LIST}/${id}`)}>{t('kit.view')}</Button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
