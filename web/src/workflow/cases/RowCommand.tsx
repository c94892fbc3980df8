/** The form of a command where a list shows the record's task, without a way over its page. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readCase } from '@/api/caseCalls';
import { Drawer } from '@/kit/overlays';
import { ErrorState } from '@/kit/states';
import type { QueueRow } from '../queries';
import { CommandForm } from './CommandForm';
import { loadCase } from './load';
import { type CaseProps, commandOf, type Row } from './screen';

interface RowCommandProps {
  task: QueueRow;
  /** The outcome that the command brings about. */
  outcome: string;
  onClose: () => void;
}

export default function RowCommand({ task, ...props }: RowCommandProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['case', task.businessTable, 'row', task.businessId],
    queryFn: async ({ signal }) => {
      const of = await loadCase(task.businessTable);
      if (!of) throw new Error(task.businessTable);
      return { ...of, row: await readCase<Row>(of.of, task.businessId, signal) };
    },
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error && !data)
    return (
      <Drawer open onClose={props.onClose}>
        <ErrorState error={error} retry={refetch} />
      </Drawer>
    );
  return data ? <Command {...props} {...data} task={task} /> : null;
}

function Command({ of, screen, row, task, outcome, onClose }: RowCommandProps & CaseProps & { row: Row }) {
  const [dialog, setDialog] = useState<{ name: string; about: unknown }>();
  const command = commandOf(of, outcome);
  const Dialog = dialog && screen.dialogs?.[dialog.name];
  if (!command) return null;
  const Own = screen.dialogs?.[command.name];
  if (Own) return <Own row={row} about={undefined} onClose={onClose} />;
  return (
    <>
      <CommandForm
        of={of}
        screen={screen}
        row={row}
        command={command}
        task={{ ...task, canComplete: true }}
        open={(name, about) => setDialog({ name, about })}
        onClose={onClose}
      />
      {Dialog && <Dialog row={row} about={dialog.about} onClose={() => setDialog(undefined)} />}
    </>
  );
}
