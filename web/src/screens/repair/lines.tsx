/** Work lines: who worked from when to when on what. */
import { App, Button } from 'antd';
import dayjs from 'dayjs';
import { repairorder } from '@/api/cases/repairorder';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateTimeField, DictField, PhotosField, TextAreaField } from '@/kit/fields';
import { Minutes } from '@/kit/Minutes';
import { useLabels } from '@/kit/nounText';
import { Photos } from '@/kit/Photos';
import { fromWire, moment, toWire } from '@/lib/dates';
import { useCan } from '@/session/rights';
import { useSession } from '@/session/session';
import type { Open } from '@/workflow/cases/screen';
import { PersonField } from './people';
import { LINES, ORDER_TOUCHED } from './queries';

type Order = Wire<'RepairOrderDetail'>;
export type Line = Wire<'Line'>;

/** The end's date only where it is another one. */
function span({ startTime, endTime }: Line): string {
  const end = endTime.slice(0, 10) === startTime.slice(0, 10) ? endTime.slice(11, 16) : moment(endTime);
  return `${moment(startTime)} – ${end}`;
}

/** `open` is given where lines may be changed. */
export function LineRows({ order, open }: { order: Order; open?: Open }) {
  const { t } = useTranslation();
  const me = useSession()?.userId;
  const leads = useCan('repairorder_dispatch');
  // The own lines; while the work lasts the repairer and the leaders change those of others too.
  const ofOthers = order.finishTime === null && (leads || order.repairUserId === me);
  return (
    <>
      <ul className="x-plain">
        {order.lines.map((line) => (
          <li key={line.id} className="x-line">
            <div>
              <strong>{line.userName}</strong> <span className="x-quiet">{line.workTypeName}</span>
              <div className="x-quiet">{span(line)}</div>
              {line.content && <div className="x-line-text">{line.content}</div>}
              {line.images && line.images.length > 0 && <Photos links={line.images} />}
            </div>
            <span className="x-line-end">
              <Minutes value={line.minutes} />
              {open && (ofOthers || line.userId === me) && (
                <span className="x-row-actions">
                  <Button type="link" onClick={() => open('line', line)}>
                    {t('kit.edit')}
                  </Button>
                  <Button type="link" danger onClick={() => open('removeLine', line)}>
                    {t('kit.delete')}
                  </Button>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {order.lines.length > 1 && (
        <div className="x-line x-line-sum">
          <span>{t('repair.lines.total')}</span>
          <Minutes value={order.labourMinutes} />
        </div>
      )}
    </>
  );
}

const REPAIR = 2;
const USUAL = 30;

/**
 * Where one's own last line ended, or the work began, until now: a line lies over no other of the person. The
 * last half hour where that was more than a day ago.
 */
export function usual(
  order: Pick<Order, 'lines' | 'acceptTime'>,
  me: string | undefined,
): { startTime?: string; endTime?: string } {
  const now = dayjs();
  const minute = now.startOf('minute');
  const last = fromWire(order.lines.filter(({ userId }) => userId === me).at(-1)?.endTime);
  const began = last ?? fromWire(order.acceptTime)?.startOf('minute');
  const start =
    began?.isBefore(now) && now.diff(began, 'hour') < 24 ? began : minute.subtract(USUAL, 'minute');
  // To the second where it began in this very minute.
  return { startTime: toWire(start), endTime: toWire(start.isBefore(minute) ? minute : now) };
}

interface LineDialogProps {
  row: Order;
  /** The line; none for a new one. */
  about: unknown;
  onClose: () => void;
}

export function LineForm({ row: order, about, onClose }: LineDialogProps) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const session = useSession();
  const label = useLabels({ fields: repairorder.fields.lines.rows });
  const line = about as Line | undefined;
  const me = session && { repairUserId: session.userId, repairUserName: session.realName };
  const mine = { userId: session?.userId, workType: REPAIR as Line['workType'] };
  const initial: Partial<Wire<'LineRequest'>> = line ?? { ...mine, ...usual(order, session?.userId) };
  const person = line ? { repairUserId: line.userId, repairUserName: line.userName } : me;
  return (
    <FormDrawer<Wire<'LineRequest'>>
      size="small"
      title={t(line ? 'repair.lines.editTitle' : 'repair.lines.add')}
      initial={initial}
      submit={async (values) => {
        const body = { ...values, orderId: order.id, id: line?.id };
        const { warnings } = await api.post(`${LINES}/submit`, body);
        for (const title of warnings) notification.warning({ title });
      }}
      invalidates={ORDER_TOUCHED}
      onConflict={onClose}
      onClose={onClose}
    >
      <DictField name="workType" label={label('workType')} dict="repair_work_type" required />
      <PersonField name="userId" label={label('userId')} given={{ machineId: order.machineId, ...person }} />
      <DateTimeField name="startTime" label={label('startTime')} until={dayjs()} required />
      <DateTimeField name="endTime" label={label('endTime')} until={dayjs()} required />
      <TextAreaField name="content" label={label('content')} max={500} rows={2} />
      <PhotosField name="images" label={label('images')} />
    </FormDrawer>
  );
}

export function DeleteLine({ about, onClose }: LineDialogProps) {
  const { t } = useTranslation();
  const line = about as Line;
  return (
    <ConfirmDialog
      title={t('kit.deleteConfirm')}
      okText={t('kit.delete')}
      danger
      run={() => api.post(`${LINES}/remove`, undefined, { ids: line.id })}
      invalidates={ORDER_TOUCHED}
      onClose={onClose}
    >
      {t('repair.lines.deleteWhat', { who: line.userName, start: moment(line.startTime) })}
    </ConfirmDialog>
  );
}
