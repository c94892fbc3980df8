/** One team on one day: its shift, who works in it, and why. */
import { Button, Form, Input, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ReferenceSelect } from '@/kit/ReferenceSelect';
import { usePhone } from '@/kit/width';
import { type Slot, shiftOn, type Table } from './schedule';

interface SlotDrawerProps {
  table: Table;
  date: string;
  slot: Slot;
  onApply: (slot: Slot) => void;
  onClose: () => void;
}

const USERS = { ref: '/blade-user/select' };

export function SlotDrawer({ table, date, slot, onApply, onClose }: SlotDrawerProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const team = table.teams.find(({ teamId }) => teamId === slot.teamId);
  const members = team?.userIds ?? '';
  const [shiftNo, setShiftNo] = useState(slot.shiftNo);
  const [people, setPeople] = useState(slot.userIds || members);
  const [remark, setRemark] = useState(slot.remark);
  const numbers = [...new Set(table.shifts.map((shift) => shift.shiftNo))].sort((a, b) => a - b);
  const apply = () =>
    onApply({
      teamId: slot.teamId,
      shiftNo,
      userIds: people === members ? '' : people,
      remark: remark.trim(),
    });
  return (
    <Drawer
      open
      size={480}
      placement={phone ? 'bottom' : 'right'}
      title={`${date} · ${team?.teamName ?? ''}`}
      onClose={onClose}
      footer={
        <div className="x-bar">
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" onClick={apply}>
            {t('shifts.month.apply')}
          </Button>
        </div>
      }
    >
      <Form layout="vertical" size={phone ? 'large' : undefined}>
        <Form.Item label={t('shifts.month.shift')}>
          <Radio.Group
            value={shiftNo}
            onChange={({ target }) => setShiftNo(target.value as number)}
            options={[
              ...numbers.flatMap((number) => {
                const shift = shiftOn(table, date, number);
                if (!shift) return [];
                const { shiftName, startTime, endTime } = shift;
                return [{ value: number, label: `${shiftName} ${startTime}–${endTime}` }];
              }),
              { value: 0, label: t('shifts.month.rest') },
            ]}
            className="x-slot-shifts"
          />
        </Form.Item>
        {shiftNo !== 0 && (
          <>
            <Form.Item label={t('shifts.month.people')} extra={t('shifts.month.peopleHint')}>
              <ReferenceSelect
                label={t('shifts.month.people')}
                source={USERS}
                multiple
                value={people}
                onChange={(chosen) => setPeople(chosen || members)}
              />
            </Form.Item>
            <Form.Item label={t('shifts.month.remark')}>
              <Input
                aria-label={t('shifts.month.remark')}
                value={remark}
                maxLength={255}
                onChange={({ target }) => setRemark(target.value)}
              />
            </Form.Item>
          </>
        )}
      </Form>
    </Drawer>
  );
}
