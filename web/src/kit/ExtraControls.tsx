/** The controls of a form's extra fields. */
import type { Noun } from '@/api/noun';
import { useLanguage } from '@/i18n';
import { useExtras } from './extras';
import type { FieldProps } from './fields';
import { NounFieldControl } from './nounFields';
import { labelIn } from './nounText';

interface ExtraControlsProps extends Partial<FieldProps> {
  /** The noun, or the input of the form. */
  about: Pick<Noun, 'fields'>;
}

export function ExtraControls({ about, disabled }: ExtraControlsProps) {
  const language = useLanguage();
  const { fields } = useExtras(about);
  return Object.entries(fields)
    .filter(([, { writable }]) => writable)
    .map(([part, { label }]) => (
      <NounFieldControl
        key={part}
        noun={{ fields }}
        name={part}
        at={part.split('.')}
        label={labelIn(language, label)}
        disabled={disabled}
      />
    ));
}
