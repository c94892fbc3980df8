/** The editor of one of a process's forms, whichever group opened it; what is drawn there comes into the drawing. */
import type CommandStack from 'diagram-js/lib/command/CommandStack';
import { useDesigner } from '../context';
import { FormEditor } from '../forms/FormEditor';
import { useEdit } from './edit';
import { EMPTY, written } from './forms';
import { type Business, formsOf } from './model';

interface FormBeingDrawnProps {
  process: Business | undefined;
  /** The form's name; nothing is shown without one. */
  name: string | undefined;
  /** It was made to be drawn now: where that is left, it was never there. */
  isNew: boolean;
  onClose: () => void;
}

export function FormBeingDrawn({ process, name, isNew, onClose }: FormBeingDrawnProps) {
  const edit = useEdit();
  const { drawing } = useDesigner();
  const drawn = formsOf(process).find((form) => form.name === name);
  if (!drawn) return null;
  return (
    <FormEditor
      name={drawn.name}
      schema={drawn.schema ?? EMPTY}
      onClose={() => {
        // Behind the editor nothing else can have changed.
        if (isNew) drawing.get<CommandStack>('commandStack').undo();
        onClose();
      }}
      onDone={(schema) => {
        edit({ of: drawn.of, set: { schema: written(schema) } });
        onClose();
      }}
    />
  );
}
