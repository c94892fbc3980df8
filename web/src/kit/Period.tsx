/** From when to when, in half days: a day and a length at a tap, or any range. */
import { DatePicker, Form, Segmented } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ReactNode, useId } from 'react';
import type { Noun } from '@/api/noun';
import { useLanguage, useTranslation } from '@/i18n';
import { after, beginOf, daysBetween, endOf, firstHalf, type Half, lastHalf } from '@/lib/halfDays';
import { Field, type FieldProps, useCalendar } from './fields';
import { labelIn } from './nounText';

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
      <span className="x-hint" aria-hidden>
        {label}
      </span>
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
  const { t } = useTranslation();
  const calendar = useCalendar();
  return (
    <div className="x-half-day">
      <DatePicker
        {...calendar}
        id={id}
        value={value?.day ?? null}
        minDate={least}
        onChange={(day) => onChange?.(day && { day: day.startOf('day'), half: value?.half ?? usual })}
        placeholder={t('kit.period.day')}
        format="YYYY-MM-DD ddd"
        inputReadOnly
      />
      <Segmented<0 | 1>
        aria-label={`${label} · ${t('kit.period.half')}`}
        options={[
          { value: 0, label: t('kit.period.morning') },
          { value: 1, label: t('kit.period.afternoon') },
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

interface PeriodProps extends FieldProps {
  noun: Pick<Noun, 'fields'>;
  /** The names of both moments. */
  first: string;
  last: string;
}

/** Stands in the place of the first moment, and asks for the last too; the wire's moments are what the form holds. */
export function Period({ noun, first: from, last: until, label }: PeriodProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const form = Form.useFormInstance();
  const start = Form.useWatch<string | undefined>(from);
  const end = Form.useWatch<string | undefined>(until);
  const today = dayjs().startOf('day');
  const first = firstHalf(start);
  const days = daysBetween(start, end);
  const endLabel = labelIn(language, noun.fields[until]?.label ?? [until, until]);
  // As if a person had filled in both, so that the draft has them and old complaints are gone.
  const put = (begin: Half, over: Half) =>
    form.setFields([
      { name: from, value: beginOf(begin), touched: true, errors: [] },
      { name: until, value: endOf(over), touched: true, errors: [] },
    ]);
  const begin = (half: Half) => put(half, after(half, days ?? 1));
  const soon = first && first.half === 0 ? first.day.diff(today, 'day') : undefined;
  return (
    <>
      <Row>
        <Chips
          label={t('kit.period.begins')}
          choices={SOON.map((name, value) => ({ value, label: t(`kit.period.${name}`) }))}
          value={soon}
          onChoose={(ahead) => begin({ day: today.add(ahead, 'day'), half: 0 })}
        />
      </Row>
      <Row>
        <Chips
          label={t('kit.period.length')}
          choices={LENGTHS.map((value) => ({
            value,
            label: value === 0.5 ? t('kit.period.half') : t('kit.period.days', { count: value }),
          }))}
          value={LENGTHS.find((length) => length === days)}
          onChoose={(length) => {
            const half = first ?? { day: today, half: 0 as const };
            put(half, after(half, length));
          }}
        />
      </Row>
      <Field
        name={from}
        label={label}
        kind="choose"
        required
        getValueProps={(value?: string) => ({ value: firstHalf(value) })}
        getValueFromEvent={(half: Half | null) => {
          if (half && !(end && daysBetween(beginOf(half), end))) {
            const over = endOf({ ...half, half: 1 });
            form.setFields([{ name: until, value: over, touched: true, errors: [] }]);
          }
          return half && beginOf(half);
        }}
      >
        <HalfDay label={label} usual={0} />
      </Field>
      <Field
        name={until}
        label={endLabel}
        kind="choose"
        required
        rules={[
          {
            validator: async (_, value?: string | null) => {
              const begun = form.getFieldValue(from);
              if (begun && value && value <= begun) throw new Error(t('kit.period.endFirst'));
            },
          },
        ]}
        getValueProps={(value?: string) => ({ value: lastHalf(value) })}
        getValueFromEvent={(half: Half | null) => half && endOf(half)}
      >
        <HalfDay label={endLabel} usual={1} least={first?.day} />
      </Field>
      <p className="x-full x-hint" aria-live="polite">
        {days === undefined ? t('kit.period.hint') : t('kit.period.count', { count: days })}
      </p>
    </>
  );
}
