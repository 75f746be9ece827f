/** Limits of a search. All limits that are set apply; without any it runs until `stop`. */
export interface Limits {
  depth?: number
  nodes?: number
  /** Milliseconds. */
  movetime?: number
  /** Milliseconds on the clocks. */
  btime?: number
  wtime?: number
  binc?: number
  winc?: number
  movestogo?: number
  mate?: number
  infinite?: boolean
  ponder?: boolean
  searchmoves?: string[]
}

export interface Score {
  /** Centipawns, or moves to the end of the game. */
  unit: 'cp' | 'mate'
  value: number
  bound?: 'lowerbound' | 'upperbound'
}

/** An `info` line with a score. */
export interface Info {
  depth?: number
  seldepth?: number
  multipv?: number
  score: Score
  /** Wins, draws and losses per thousand games, with the option `UCI_ShowWDL`. */
  wdl?: number[]
  nodes?: number
  nps?: number
  hashfull?: number
  tbhits?: number
  /** Milliseconds. */
  time?: number
  /** The moves, separated by spaces. */
  pv?: string
}

export interface SearchResult {
  /** The best move; `(none)` in a finished game. */
  bestmove: string
  ponder?: string
  info: Info[]
}

/** A setup, or a setup with moves played on it. Without a setup, the start of the variant. */
export type Position = string | { fen?: string; moves?: string[] }

/** An engine in a worker. It uses the protocol of Soucie. */
export class Soucie {
  private constructor()

  /**
   * Starts an engine. With shared memory (`shared`) it reads lines during a search; this needs Node
   * or a page with cross-origin isolation, where it is the default. Without it, lines sent during a
   * search wait, except `stop`, `ponderhit`, `isready` and `quit`.
   */
  static create(options?: { shared?: boolean }): Promise<Soucie>

  /** Called with each line of the engine. */
  onLine: ((line: string) => void) | null

  /** Resolves when the engine has ended; rejects if it has failed. */
  readonly ended: Promise<void>

  /** Sends a line, or several. Throws if the engine has ended. */
  send(line: string): void

  /** Sets the position and searches. Rejects if either is refused. */
  search(request?: { position?: Position; limits?: Limits }): Promise<SearchResult>

  /**
   * Loads the endgame tables of English draughts with two to four pieces, 0.6 MB, for the searches
   * that follow: from an address, from bytes, or from `draughts.tables` beside the module. Without
   * shared memory they wait for the end of a search, and an infinite one is restarted. Rejects if
   * they cannot be loaded or are damaged; the engine then continues without them.
   */
  loadTables(source?: string | URL | ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<void>

  /** Ends the input: pending searches finish, then the engine ends. */
  end(): void

  /** Stops all searches and ends the engine. */
  quit(): Promise<void>

  /** Ends the worker at once. */
  terminate(): void
}
