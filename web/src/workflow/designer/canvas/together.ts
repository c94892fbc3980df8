/** Several changes as one: undo takes them back in one step. */
import type Diagram from 'diagram-js';

interface CommandStack {
  registerHandler: (command: string, handler: new () => object) => void;
  execute: (command: string, context: object) => void;
}

class Together {
  preExecute({ run }: { run: () => void }): void {
    run();
  }
}

const COMMAND = 'xw.together';

export class TogetherCommand {
  static $inject = ['commandStack'];

  constructor(private readonly stack: CommandStack) {
    stack.registerHandler(COMMAND, Together);
  }

  run(changes: () => void): void {
    this.stack.execute(COMMAND, { run: changes });
  }
}

/** Runs modeling commands so that one undo takes all of them back. */
export function together(drawing: Diagram, changes: () => void): void {
  drawing.get<TogetherCommand>('together').run(changes);
}
