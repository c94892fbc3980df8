/** What the report of a fault asks in a way of its own: the machine, and whether another report is the same. */
import { Button, Modal } from 'antd';
import { useNavigate } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { TreeSelectField } from '@/kit/fields';
import { moment } from '@/lib/dates';
import { LIST } from '@/screens/shared/orders';
import type { ControlProps } from '@/workflow/cases/screen';
import { useMachineNodes } from './queries';

export function MachineField({ given: _, source: __, ...props }: ControlProps) {
  const { t } = useTranslation();
  const nodes = useMachineNodes(true);
  const hint = t(nodes?.length === 0 ? 'repair.report.machineNone' : 'repair.report.machineHint');
  return <TreeSelectField {...props} nodes={nodes ?? []} loading={!nodes} placeholder={hint} full />;
}

interface DuplicatesProps {
  answer: unknown;
  again: () => void;
  onClose: () => void;
}

/** Open orders of the machine that may be the same fault. */
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
      <p>{t('repair.report.duplicate')}</p>
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
