/** The controls of the panel: a label, a control, what is wrong; a change counts when one leaves the field. */
import { Input, Select } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';

interface EntryProps {
  label: string;
  hint?: ReactNode;
  fault?: string;
  /** Draws the control, which takes the id and says by which lines it is described. */
  children: (id: string, described: string | undefined) => ReactNode;
}

export function Entry({ label, hint, fault, children }: EntryProps) {
  const id = useId();
  const below = hint || fault ? `${id}-below` : undefined;
  return (
    <div className="x-entry">
      <label htmlFor={id}>{label}</label>
      {children(id, below)}
      {below && (
        <div id={below} className={fault ? 'x-entry-fault' : 'x-hint'} role={fault ? 'alert' : undefined}>
          {fault ?? hint}
        </div>
      )}
    </div>
  );
}

interface DraftOptions {
  value: string;
  commit: (value: string) => void;
  /** The sentence that keeps a value from being taken. */
  check?: (value: string) => string | undefined;
}

/** What is typed until it is left: taken then, or told why not and kept for mending. */
function useDraft({ value, commit, check }: DraftOptions) {
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  const leave = () => {
    if (draft === undefined) return;
    const next = draft.trim();
    const wrong = next === value ? undefined : check?.(next);
    setFault(wrong);
    if (wrong) return;
    setDraft(undefined);
    if (next !== value) commit(next);
  };
  const drop = () => {
    setDraft(undefined);
    setFault(undefined);
  };
  return { shown: draft ?? value, fault, setDraft, leave, drop };
}

interface TextEntryProps extends DraftOptions {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value that stands there; what is typed may be wrong in another way. */
  fault?: string;
  placeholder?: string;
  /** More than one: a text of several lines, which Enter does not leave. */
  rows?: number;
  max?: number;
  /** In letters of one width: ids and expressions. */
  code?: boolean;
}

export function TextEntry({ label, hint, placeholder, rows = 1, max, code, ...options }: TextEntryProps) {
  const { readOnly } = useDesigner();
  const { shown, fault = options.fault, setDraft, leave, drop } = useDraft(options);
  return (
    <Entry label={label} hint={hint} fault={fault}>
      {(id, described) => {
        const common = {
          id,
          value: shown,
          placeholder,
          maxLength: max,
          readOnly,
          className: code ? 'x-code' : undefined,
          status: fault ? ('error' as const) : undefined,
          'aria-describedby': described,
          'aria-invalid': Boolean(fault),
          onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
          onBlur: leave,
          onKeyDown: (event: { key: string; stopPropagation: () => void }) => {
            // Delete and undo mean the text here, not the drawing.
            event.stopPropagation();
            if (event.key === 'Enter' && rows === 1) leave();
            if (event.key === 'Escape') drop();
          },
        };
        return rows === 1 ? (
          <Input {...common} autoComplete="off" />
        ) : (
          <Input.TextArea {...common} autoSize={{ minRows: rows, maxRows: rows * 3 }} />
        );
      }}
    </Entry>
  );
}

interface NumberEntryProps {
  label: string;
  value: number | undefined;
  commit: (value: number | undefined) => void;
  min?: number;
  max?: number;
  whole?: boolean;
  hint?: ReactNode;
}

/** A number, or nothing. */
export function NumberEntry({ label, value, commit, min, max, whole, hint }: NumberEntryProps) {
  const { t } = useTranslation();
  const check = (text: string) => {
    const number = Number(text);
    if (text !== '' && (!Number.isFinite(number) || (whole && !Number.isInteger(number))))
      return t(whole ? 'work.form.whole' : 'work.form.format', { field: label });
    if (text === '' || ((min ?? number) <= number && number <= (max ?? number))) return undefined;
    if (min !== undefined && max !== undefined)
      return t('kit.form.between', { field: label, a: min, b: max });
    return t(min !== undefined ? 'kit.form.atLeast' : 'kit.form.atMost', { field: label, n: min ?? max });
  };
  return (
    <TextEntry
      label={label}
      hint={hint}
      value={value === undefined ? '' : String(value)}
      check={check}
      commit={(text) => commit(text === '' ? undefined : Number(text))}
    />
  );
}

export interface Choice {
  value: string;
  label: string;
  /** A second line. */
  hint?: string;
}

interface ChoiceEntryProps {
  label: string;
  value: string | undefined;
  /** Undefined: the choice was taken back. */
  commit: (value: string | undefined) => void;
  options: readonly Choice[];
  hint?: ReactNode;
  fault?: string;
  clearable?: boolean;
  loading?: boolean;
  /** The server filters; told what is looked for. */
  onSearch?: (keyword: string) => void;
}

export function ChoiceEntry({
  label,
  value,
  commit,
  options,
  hint,
  fault,
  clearable,
  loading,
  onSearch,
}: ChoiceEntryProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const known = value === undefined || options.some((option) => option.value === value);
  return (
    <Entry label={label} hint={hint} fault={fault}>
      {(id, described) => (
        <Select<string, Choice>
          id={id}
          value={value}
          // What stands there stays readable, though nobody offers it.
          options={known ? [...options] : [{ value, label: value }, ...options]}
          allowClear={clearable}
          showSearch={
            onSearch
              ? { filterOption: false, onSearch }
              : options.length > 8
                ? { filterOption: (text, option) => matches(text, option) }
                : false
          }
          optionRender={({ data }) => (
            <>
              {data.label}
              {data.hint && <div className="x-hint">{data.hint}</div>}
            </>
          )}
          loading={loading}
          disabled={readOnly}
          status={fault ? 'error' : undefined}
          placeholder={t('kit.form.pick')}
          aria-describedby={described}
          onChange={(next) => commit(next ?? undefined)}
        />
      )}
    </Entry>
  );
}

function matches(text: string, option: Choice | undefined): boolean {
  return `${option?.label} ${option?.hint ?? ''} ${option?.value}`.toLowerCase().includes(text.toLowerCase());
}
