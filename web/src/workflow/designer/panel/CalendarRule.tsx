/** A calendar rule in parts: how often, on which days, at what time; one that says more is edited as its text. */
import { DatePicker, Select, TimePicker } from 'antd';
import dayjs from 'dayjs';
import type { ParseKeys } from 'i18next';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import {
  FREQUENCIES,
  type Frequency,
  PLACES,
  type Rule,
  readRule,
  ruleText,
  WEEKDAYS,
  type Weekday,
} from './calendarRule';
import { ChoiceEntry, Entry, NumberEntry, TextEntry } from './controls';

const DAY = 'YYYYMMDD';
const DAYS = [...Array.from({ length: 31 }, (_, index) => index + 1), -1];
const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
const WEEKDAY_NAMES: Readonly<Record<Weekday, ParseKeys>> = {
  MO: 'panel.rule.MO',
  TU: 'panel.rule.TU',
  WE: 'panel.rule.WE',
  TH: 'panel.rule.TH',
  FR: 'panel.rule.FR',
  SA: 'panel.rule.SA',
  SU: 'panel.rule.SU',
};

interface CalendarRuleProps {
  body: string;
  commit: (body: string) => void;
}

export function CalendarRule({ body, commit }: CalendarRuleProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const rule = readRule(body);
  if (!rule) return <TextEntry label={t('panel.rule.text')} value={body} code rows={3} commit={commit} />;
  const change = (set: Partial<Rule>) => commit(ruleText({ ...rule, ...set }, dayjs().format(DAY)));
  const isOfMonth = rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY';
  return (
    <>
      <ChoiceEntry
        label={t('panel.rule.frequency')}
        value={rule.frequency}
        options={FREQUENCIES.map((one) => ({ value: one, label: t(`panel.rule.${one}`) }))}
        commit={(next) => next && change({ frequency: next as Frequency })}
      />
      <NumberEntry
        key={body}
        label={t('panel.rule.interval')}
        hint={t('panel.rule.intervalHint')}
        value={rule.interval}
        min={1}
        max={999}
        whole
        commit={(interval) => change({ interval: interval ?? 1 })}
      />
      {rule.frequency === 'YEARLY' && (
        <Several
          label={t('panel.rule.months')}
          value={rule.months}
          options={MONTHS.map((value) => ({ value, label: t('panel.rule.month', { n: value }) }))}
          commit={(months) => change({ months })}
        />
      )}
      {rule.frequency === 'WEEKLY' && (
        <Several
          label={t('panel.rule.weekdays')}
          value={rule.weekdays}
          options={WEEKDAYS.map((value) => ({ value, label: t(WEEKDAY_NAMES[value]) }))}
          commit={(weekdays) => change({ weekdays })}
        />
      )}
      {isOfMonth && <DaysOfMonth rule={rule} change={change} />}
      <Entry label={t('panel.rule.time')}>
        {(id) => (
          <TimePicker
            id={id}
            value={dayjs(`2000-01-01T${rule.time}`)}
            format="HH:mm"
            allowClear={false}
            needConfirm={false}
            disabled={readOnly}
            onChange={(next) => next && change({ time: next.format('HH:mm') })}
          />
        )}
      </Entry>
      <Entry label={t('panel.rule.until')} hint={t('panel.rule.untilHint')}>
        {(id, described) => (
          <DatePicker
            id={id}
            value={rule.until ? dayjs(rule.until) : undefined}
            disabled={readOnly}
            aria-describedby={described}
            onChange={(next) => change({ until: next ? next.format(DAY) : '' })}
          />
        )}
      </Entry>
    </>
  );
}

function DaysOfMonth({ rule, change }: { rule: Rule; change: (set: Partial<Rule>) => void }) {
  const { t } = useTranslation();
  const isByDay = rule.days.length > 0;
  return (
    <>
      <ChoiceEntry
        label={t('panel.rule.by')}
        value={isByDay ? 'day' : 'weekday'}
        options={[
          { value: 'day', label: t('panel.rule.byDay') },
          { value: 'weekday', label: t('panel.rule.byWeekday') },
        ]}
        commit={(next) => next && change({ days: next === 'day' ? [-1] : [] })}
      />
      {isByDay ? (
        <Several
          label={t('panel.rule.days')}
          value={rule.days}
          options={DAYS.map((value) => ({
            value,
            label: value === -1 ? t('panel.rule.lastDay') : t('panel.rule.day', { n: value }),
          }))}
          commit={(days) => change({ days })}
        />
      ) : (
        <div className="x-parts">
          <ChoiceEntry
            label={t('panel.rule.place')}
            value={String(rule.place)}
            options={PLACES.map((value) => ({
              value: String(value),
              label: value === -1 ? t('panel.rule.last') : t('panel.rule.nth', { n: value }),
            }))}
            commit={(next) => next && change({ place: Number(next) })}
          />
          <ChoiceEntry
            label={t('panel.rule.weekday')}
            value={rule.placed}
            options={WEEKDAYS.map((value) => ({ value, label: t(WEEKDAY_NAMES[value]) }))}
            commit={(next) => next && change({ placed: next as Weekday })}
          />
        </div>
      )}
    </>
  );
}

interface SeveralProps<T extends string | number> {
  label: string;
  value: readonly T[];
  options: readonly { value: T; label: string }[];
  commit: (value: T[]) => void;
}

/** One or more of a list, in the order of the list; the last one stays. */
function Several<T extends string | number>({ label, value, options, commit }: SeveralProps<T>) {
  const { readOnly } = useDesigner();
  return (
    <Entry label={label}>
      {(id) => (
        <Select<T[]>
          id={id}
          mode="multiple"
          value={[...value]}
          options={[...options]}
          disabled={readOnly}
          onChange={(next) => {
            const chosen = options.map((one) => one.value).filter((one) => next.includes(one));
            if (chosen.length > 0) commit(chosen);
          }}
        />
      )}
    </Entry>
  );
}
