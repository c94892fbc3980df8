/** Choices that stand in sight: a few large ones of which one is taken, and words of which any number is. */
import { useId } from 'react';
import { Field, type FieldProps, joint } from './fields';
import { TONE_ICONS } from './StateTag';
import type { Tone } from './tones';

export interface Choice {
  value: number;
  label: string;
  /** What it means, in a few words. */
  hint?: string;
  tone?: Tone;
}

interface LargeProps {
  id?: string;
  value?: number;
  onChange?: (value: number) => void;
  choices: readonly Choice[];
  label: string;
}

function Large({ id, value, onChange, choices, label }: LargeProps) {
  const name = useId();
  return (
    <div id={id} className="x-choices" role="radiogroup" aria-label={label}>
      {choices.map(({ value: own, label: word, hint, tone = 'quiet' }) => (
        <label key={own} className={`x-choice x-choice-${tone}`}>
          <input type="radio" name={name} checked={value === own} onChange={() => onChange?.(own)} />
          <span className="x-choice-word">
            {TONE_ICONS[tone]} {word}
          </span>
          {hint && <span className="x-choice-hint">{hint}</span>}
        </label>
      ))}
    </div>
  );
}

/** One of a few, large enough for a gloved thumb; the form's value is the number. */
export function ChoicesField({ choices, ...props }: FieldProps & { choices: readonly Choice[] }) {
  return (
    <Field full {...props} kind="choose" valueType="number">
      <Large choices={choices} label={props.label} />
    </Field>
  );
}

interface WordsProps {
  id?: string;
  value?: readonly string[];
  onChange?: (value: string[]) => void;
  options: readonly { value: string; label: string }[];
  label: string;
}

function Words({ id, value = [], onChange, options, label }: WordsProps) {
  return (
    <fieldset id={id} className="x-words" aria-label={label} tabIndex={-1}>
      {options.map((option) => {
        const on = value.includes(option.value);
        const next = on ? value.filter((other) => other !== option.value) : [...value, option.value];
        return (
          <label key={option.value} className="x-word">
            <input type="checkbox" checked={on} onChange={() => onChange?.(next)} />
            {option.label}
          </label>
        );
      })}
    </fieldset>
  );
}

/** Any of some words; the form's value is the list of their keys, or of ids one text. */
export function WordsField({
  options,
  joined,
  ...props
}: FieldProps & { options: WordsProps['options']; joined?: boolean }) {
  return (
    <Field full {...props} {...(joined ? joint : { valueType: 'array' })} kind="choose">
      <Words options={options} label={props.label} />
    </Field>
  );
}
