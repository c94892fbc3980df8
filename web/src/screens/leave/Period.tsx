/** From when to when, in half days: a day and a length at a tap, or any range. */
import { DatePicker, Form, Segmented } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ReactNode, useId } from 'react';
import { t } from '@/i18n';
import { Field, useCalendar } from '@/kit/fields';
import type { ControlProps } from '@/workflow/cases/screen';
import { after, beginOf, daysBetween, endOf, firstHalf, type Half, lastHalf } from './days';

/** Days from today that stand in sight, and lengths. */
const SOON = ['today', 'tomorrow', 'dayAfter'] as const;
const LENGTHS = [0.5, 1, 2, 3, 5] as const;

interface ChipsProps<Value> {
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChoose: (value: Value) => void;
}

/** One of a few short words. */
function Chips<Value extends number>({ label, choices, value, onChoose }: ChipsProps<Value>) {
  const name = useId();
  return (
    <div className="x-words" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="x-word">
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

interface HalfDayProps {
  id?: string;
  label: string;
  value?: Half;
  onChange?: (value: Half | null) => void;
  /** The half that a newly chosen day begins with, or ends with. */
  usual: 0 | 1;
  least?: Dayjs;
}

function HalfDay({ id, label, value, onChange, usual, least }: HalfDayProps) {
  const calendar = useCalendar();
  return (
    <div className="x-half-day">
      <DatePicker
        {...calendar}
        id={id}
        value={value?.day ?? null}
        minDate={least}
        onChange={(day) => onChange?.(day && { day: day.startOf('day'), half: value?.half ?? usual })}
        placeholder={t('leave.day')}
        format="YYYY-MM-DD ddd"
        inputReadOnly
      />
      <Segmented<0 | 1>
        aria-label={`${label} · ${t('leave.half')}`}
        options={[
          { value: 0, label: t('leave.morning') },
          { value: 1, label: t('leave.afternoon') },
        ]}
        value={value?.half ?? usual}
        disabled={!value}
        onChange={(half) => value && onChange?.({ ...value, half })}
      />
    </div>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="x-full x-block">{children}</div>;
}

/** Stands in the place of the start, and asks for the end too; the wire's moments are what the form holds. */
export function Period({ label, endLabel, rules }: ControlProps & { endLabel: string; rules: object[] }) {
  const form = Form.useFormInstance();
  const start = Form.useWatch<string | undefined>('startTime');
  const end = Form.useWatch<string | undefined>('endTime');
  const today = dayjs().startOf('day');
  const first = firstHalf(start);
  const days = daysBetween(start, end);
  // As if a person had filled in both, so that the draft has them and old complaints are gone.
  const put = (from: Half, to: Half) =>
    form.setFields([
      { name: 'startTime', value: beginOf(from), touched: true, errors: [] },
      { name: 'endTime', value: endOf(to), touched: true, errors: [] },
    ]);
  const begin = (from: Half) => put(from, after(from, days ?? 1));
  const soon = first && first.half === 0 ? first.day.diff(today, 'day') : undefined;
  return (
    <>
      <Row>
        <Chips
          label={t('leave.begins')}
          choices={SOON.map((name, value) => ({ value, label: t(`leave.${name}`) }))}
          value={soon}
          onChoose={(ahead) => begin({ day: today.add(ahead, 'day'), half: 0 })}
        />
      </Row>
      <Row>
        <Chips
          label={t('leave.length')}
          choices={LENGTHS.map((value) => ({
            value,
            label: value === 0.5 ? t('leave.half') : t('leave.days', { count: value }),
          }))}
          value={LENGTHS.find((length) => length === days)}
          onChoose={(length) => {
            const from = first ?? { day: today, half: 0 as const };
            put(from, after(from, length));
          }}
        />
      </Row>
      <Field
        name="startTime"
        label={label}
        kind="choose"
        required
        getValueProps={(value?: string) => ({ value: firstHalf(value) })}
        getValueFromEvent={(half: Half | null) => {
          if (half && !(end && daysBetween(beginOf(half), end))) {
            const over = endOf({ ...half, half: 1 });
            form.setFields([{ name: 'endTime', value: over, touched: true, errors: [] }]);
          }
          return half && beginOf(half);
        }}
      >
        <HalfDay label={label} usual={0} />
      </Field>
      <Field
        name="endTime"
        label={endLabel}
        kind="choose"
        required
        rules={rules}
        getValueProps={(value?: string) => ({ value: lastHalf(value) })}
        getValueFromEvent={(half: Half | null) => half && endOf(half)}
      >
        <HalfDay label={endLabel} usual={1} least={first?.day} />
      </Field>
    </>
  );
}
