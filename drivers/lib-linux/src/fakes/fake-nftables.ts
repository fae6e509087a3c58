import type { NamespaceReference } from '../namespaces/namespaces.js';
import type { Nftables, NftablesOptions, NftablesSession, NftCommands, RulesetView } from '../nftables/nftables.js';

export interface FakeNftCall {
  readonly namespace: NamespaceReference | undefined;
  readonly commands: NftCommands;
}

/** Records the commands it runs, in order, and returns configured answers. */
export class FakeNftables implements Nftables {
  readonly calls: FakeNftCall[] = [];
  /** The output of commands, or the error they throw; empty by default. */
  answer: (commands: NftCommands) => string = () => '';
  /** The state that views report; set by the test. */
  generation = 1;
  rules = 0;

  open({ namespace }: NftablesOptions = {}): NftablesSession {
    const runSync = (commands: NftCommands): string => {
      this.calls.push({ namespace, commands });
      return this.answer(commands);
    };
    return { runSync, run: async (commands) => runSync(commands), close: () => undefined };
  }

  openView(): RulesetView {
    return {
      generation: () => this.generation,
      countRules: () => this.rules,
      countElements: () => 0,
      close: () => undefined,
    };
  }
}
