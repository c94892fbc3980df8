/** What a phone shows of an order below the fault: where the machine is, whom to call, how far the repair is. */
import { CheckOutlined, PhoneOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Section } from '@/kit/Section';
import { MachineLink } from '@/screens/shared/MachineLink';
import { useSession } from '@/session/session';

type Order = Wire<'RepairOrderDetail'>;

const STATIONS = ['report', 'dispatch', 'accept', 'repair', 'check'] as const;
const [CLOSED, CANCELLED] = [6, 7];
/** By status the station that is under way. */
const AT: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 3, 5: 4, [CLOSED]: STATIONS.length };

/** How many stations are behind it; of a cancelled order, as far as it came. */
function passed({ status, dispatchTime, acceptTime, finishTime }: Order): number {
  if (status !== CANCELLED) return AT[status] ?? 1;
  return finishTime ? 4 : acceptTime ? 3 : dispatchTime ? 2 : 1;
}

export function Way({ order }: { order: Order }) {
  const { t } = useTranslation();
  const behind = passed(order);
  return (
    <ol className="x-panel x-way">
      {STATIONS.map((station, index) => {
        const isDone = index < behind;
        const isNow = index === behind && order.status !== CANCELLED;
        return (
          <li
            key={station}
            className={isDone ? 'x-way-done' : isNow ? 'x-way-now' : undefined}
            aria-current={isNow ? 'step' : undefined}
          >
            <span className="x-way-dot">{isDone ? <CheckOutlined /> : index + 1}</span>
            {t(`repair.way.${station}`)}
            {isDone && <span className="x-sr">{t('work.diagram.done')}</span>}
          </li>
        );
      })}
    </ol>
  );
}

export function Lead({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { machineCode, location, deptName, reportPhone, reportUserId, reportUserName, openTask } = order;
  const me = useSession()?.userId;
  return (
    <>
      <Section title={t('repair.place')}>
        <MachineLink order={order} /> <span className="x-nowrap">{machineCode}</span>
        <div className="x-quiet">{[location, deptName].filter(Boolean).join(' · ')}</div>
        {openTask && reportPhone && reportUserId !== me && (
          <Button className="x-call" icon={<PhoneOutlined />} href={`tel:${reportPhone}`}>
            {t('repair.call', { who: reportUserName })}
          </Button>
        )}
      </Section>
      <Way order={order} />
    </>
  );
}
