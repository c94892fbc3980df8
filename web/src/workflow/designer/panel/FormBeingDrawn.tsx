/** The editor of one of a process's forms, whichever group opened it; what is drawn there comes into the drawing. */
import { FormEditor } from '../forms/FormEditor';
import { useEdit } from './edit';
import { EMPTY, written } from './forms';
import { type Business, formsOf } from './model';

interface FormBeingDrawnProps {
  process: Business | undefined;
  /** The form's name; nothing is shown without one. */
  name: string | undefined;
  onClose: () => void;
}

export function FormBeingDrawn({ process, name, onClose }: FormBeingDrawnProps) {
  const edit = useEdit();
  const drawn = formsOf(process).find((form) => form.name === name);
  if (!drawn) return null;
  return (
    <FormEditor
      name={drawn.name}
      schema={drawn.schema ?? EMPTY}
      onClose={onClose}
      onDone={(schema) => {
        edit({ of: drawn.of, set: { schema: written(schema) } });
        onClose();
      }}
    />
  );
}
