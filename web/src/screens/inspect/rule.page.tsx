/** Task rules: when a route is inspected and by whom. */
import { CalendarOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Form, type FormInstance } from 'antd';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { taskrule } from '@/api/nouns/taskrule';
import { useTranslation } from '@/i18n';
import { type FieldProps, NumberField, SelectField } from '@/kit/fields';
import { type FormEntry, NounPage, type Values } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { useRights } from '@/session/rights';

type Rule = typeof taskrule;
type Row = RowOf<Rule>;

export const RULES = '/inspect/rule';
const [TIMES, HOURS, DAILY, WEEKLY, MONTHLY, DAYS, NTH] = [2, 3, 4, 5, 6, 7, 8];
const OF_SHIFTS = [1, TIMES, HOURS];
const OF_DATES = [WEEKLY, MONTHLY, DAYS, NTH];
const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;
const MONTH = Array.from({ length: 31 }, (_, index) => index + 1);

/** Shown only where the frequency asks for it. */
function When({
  form,
  is,
  children,
}: {
  form: FormInstance<Values>;
  is: readonly number[];
  children: ReactNode;
}) {
  const frequency = Form.useWatch('frequency', form) as number | undefined;
  return is.includes(frequency ?? 1) ? children : null;
}

/** The shifts of the chosen plan. */
function ShiftsField({ form, ...props }: FieldProps & { form: FormInstance<Values> }) {
  const { t } = useTranslation();
  const plan = Form.useWatch('configId', form) as string | undefined;
  const { data } = useQuery({
    queryKey: ['configinfo', 'shifts', plan],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/configinfo/getShiftList', { id: plan }, signal),
    enabled: Boolean(plan),
  });
  return (
    <SelectField
      {...props}
      multiple
      joined
      disabled={props.disabled || !plan}
      hint={t(plan ? 'rounds.rule.allShifts' : 'rounds.rule.shiftsHint')}
      options={(data ?? []).map(({ shiftId, shiftName, startTime, endTime }) => ({
        value: shiftId,
        label: `${shiftName} ${startTime}–${endTime}`,
      }))}
    />
  );
}

const weekdays = (t: TFunction) =>
  WEEK.map((day) => ({ value: String(day), label: t(`rounds.rule.weekday.d${day}`) }));
const numbers = (text: string | null | undefined) => (text ?? '').split(',').filter(Boolean).map(Number);

/** When a rule wants its route inspected, in words. */
export function whenText(row: Row, t: TFunction): string {
  const day = (n: number) => t(`rounds.rule.weekday.d${n as 1}`);
  const n = { times: row.timesPerShift, hours: row.everyHours, weeks: row.everyWeeks, days: row.everyDays };
  switch (row.frequency as number) {
    case TIMES:
      return t('rounds.rule.when.timesShift', { count: n.times });
    case HOURS:
      return t('rounds.rule.when.hours', { n: n.hours });
    case DAILY:
      return t('rounds.rule.when.daily');
    case WEEKLY: {
      const days = numbers(row.weekDays).map(day).join(' ');
      return n.weeks > 1
        ? t('rounds.rule.when.weeks', { count: n.weeks, days })
        : t('rounds.rule.when.week', { days });
    }
    case MONTHLY:
      return t('rounds.rule.when.month', {
        days: numbers(row.monthDays)
          .map((one) => (one === -1 ? t('rounds.rule.lastDay') : t('rounds.rule.day', { n: one })))
          .join(' '),
      });
    case DAYS:
      return t('rounds.rule.when.days', { count: n.days });
    case NTH:
      return t('rounds.rule.when.nth', {
        nth: t(row.nth === -1 ? 'rounds.rule.nth.last' : `rounds.rule.nth.n${row.nth as 1}`),
        day: day(row.weekDay),
      });
    default:
      return t('rounds.rule.when.eachShift');
  }
}

function useRuleForm(): readonly FormEntry<Rule>[] {
  const { t } = useTranslation();
  const number = (
    key: 'timesPerShift' | 'everyHours' | 'everyWeeks' | 'everyDays' | 'windowDays',
    is: readonly number[],
    hint?: string,
  ): FormEntry<Rule> => ({
    key,
    control: (props, form) => (
      <When form={form} is={is}>
        <NumberField
          {...props}
          required
          hint={hint}
          min={taskrule.fields[key].min}
          max={taskrule.fields[key].max}
        />
      </When>
    ),
  });
  const select = (
    key: 'weekDays' | 'monthDays' | 'nth' | 'weekDay',
    is: number,
    options: { value: string | number; label: string }[],
  ): FormEntry<Rule> => ({
    key,
    control: (props, form) => (
      <When form={form} is={[is]}>
        <SelectField
          {...props}
          required
          multiple={key.endsWith('Days')}
          joined={key.endsWith('Days')}
          options={options as { value: string; label: string }[]}
        />
      </When>
    ),
  });
  return [
    { key: 'configId', locked: true },
    'groupId',
    { key: 'ruleName', full: true },
    { group: t('rounds.rule.whenGroup') },
    { key: 'frequency', required: true, full: true },
    number('timesPerShift', [TIMES]),
    number('everyHours', [HOURS]),
    select('weekDays', WEEKLY, weekdays(t)),
    number('everyWeeks', [WEEKLY]),
    select('monthDays', MONTHLY, [
      ...MONTH.map((n) => ({ value: String(n), label: t('rounds.rule.day', { n }) })),
      { value: '-1', label: t('rounds.rule.lastDay') },
    ]),
    number('everyDays', [DAYS]),
    select('nth', NTH, [
      ...([1, 2, 3, 4, 5] as const).map((n) => ({ value: n, label: t(`rounds.rule.nth.n${n}`) })),
      { value: -1, label: t('rounds.rule.nth.last') },
    ]),
    select(
      'weekDay',
      NTH,
      WEEK.map((day) => ({ value: day, label: t(`rounds.rule.weekday.d${day}`) })),
    ),
    { key: 'shiftIds', control: (props, form) => <ShiftsField {...props} full form={form} /> },
    'startOffset',
    { key: 'duration', hint: t('rounds.rule.durationHint') },
    number('windowDays', OF_DATES, t('rounds.rule.windowHint')),
    'aheadMinutes',
    { key: 'graceMinutes', hint: t('rounds.rule.graceHint') },
    { group: t('rounds.rule.whoGroup') },
    { key: 'assignMode', required: true },
    { key: 'userIds', hint: t('rounds.rule.usersHint') },
    { group: t('rounds.rule.moreGroup') },
    'startDate',
    'endDate',
    'skipHoliday',
    { key: 'startupCheck', hint: t('rounds.rule.startupHint') },
    'enabled',
  ];
}

export default function Rules() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const mayMake = may('configinfo_makeTask');
  const make = (row?: Row) => navigate(row ? `${RULES}/make?plan=${row.configId}` : `${RULES}/make`);
  return (
    <NounPage
      noun={taskrule}
      name="ruleName"
      columns={[
        { key: 'ruleName', width: 180 },
        { key: 'groupName', width: 170 },
        { key: 'configName', width: 160 },
        {
          key: 'frequencyName',
          title: t('rounds.rule.whenTitle'),
          width: 170,
          render: (row) => whenText(row, t),
        },
        { key: 'shiftNames', width: 130 },
        { key: 'assignModeName', width: 110 },
        { key: 'userNames', width: 140, extra: true },
        { key: 'enabled', width: 100 },
      ]}
      show={{
        enabled: (row) => (
          <ToneTag tone={row.enabled ? 'good' : 'off'}>{t(row.enabled ? 'kit.yes' : 'kit.no')}</ToneTag>
        ),
      }}
      filters={['configId', 'groupId', 'frequency', 'assignMode', 'enabled']}
      form={useRuleForm()}
      initial={{
        frequency: 1,
        timesPerShift: 2,
        everyHours: 2,
        everyWeeks: 1,
        everyDays: 7,
        nth: 1,
        weekDay: 1,
        startOffset: 0,
        windowDays: 1,
        aheadMinutes: 30,
        graceMinutes: 30,
        assignMode: 1,
        enabled: 1,
      }}
      toWire={(values) => ({
        ...values,
        // What the chosen frequency has no use for is left at rest.
        ...(OF_DATES.includes(values.frequency as number) ? {} : { windowDays: 1 }),
        ...(OF_SHIFTS.includes(values.frequency as number) ? { weekDays: '', monthDays: '' } : {}),
      })}
      rowActions={(row) =>
        mayMake ? [{ key: 'make', label: t('rounds.rule.make'), onClick: () => make(row) }] : []
      }
      actions={() =>
        mayMake && (
          <Button icon={<CalendarOutlined />} onClick={() => make()}>
            {t('rounds.rule.make')}
          </Button>
        )
      }
      removeHint={t('rounds.rule.removeHint')}
    />
  );
}
