//! A game whose positions are the nodes of a graph, with more cycles than any board game.

use soucie::game::{
    Calibration, EndReason, EvalScale, FeatureBits, Features, Heuristics, Move, MoveList, Outcome,
    Position, Side, Term,
};

/// A node of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// The game is over.
    End(Option<Side>),
    /// The side to move chooses one of these nodes, where the other side is to move.
    Turn(Vec<u16>),
}

/// A graph, the current node and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphGame {
    pub graph: &'static [Node],
    pub node: u16,
    pub side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphMove(u16);

impl Move for GraphMove {
    fn packed(self) -> u16 {
        self.0 + 1
    }

    fn origin(self) -> usize {
        0
    }

    fn target(self) -> usize {
        0
    }
}

/// Unused: there is no evaluation.
const SCALE: EvalScale = EvalScale { margin: 0.0, spread: 1.0 };

impl Position for GraphGame {
    type Move = GraphMove;

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        (2 * u64::from(self.node) + self.side as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.graph[usize::from(self.node)] {
            Node::End(winner) => {
                Some(Outcome { winner, reason: &EndReason { code: "end-node", text: "end node" } })
            }
            Node::Turn(_) => None,
        }
    }

    fn moves(&self, out: &mut MoveList<GraphMove>) {
        if let Node::Turn(nodes) = &self.graph[usize::from(self.node)] {
            out.extend(nodes.iter().map(|&node| GraphMove(node)));
        }
    }

    fn no_moves_outcome(&self) -> Outcome {
        Outcome::drawn(&EndReason { code: "no-moves", text: "no moves" })
    }

    fn play(&self, mv: GraphMove) -> Self {
        Self { node: mv.0, side: !self.side, ..*self }
    }

    fn repetition_limit(&self) -> usize {
        3
    }

    fn reversible_plies(&self) -> usize {
        usize::MAX
    }
}

impl Heuristics for GraphGame {
    const CALIBRATION: Calibration =
        Calibration { network: SCALE, handcrafted: SCALE, levels: &[], named: [0; 4] };

    fn null_move(&self) -> Option<Self> {
        None
    }

    fn winning_move(&self) -> Option<GraphMove> {
        None
    }

    fn is_noisy(&self, _: GraphMove) -> bool {
        false
    }

    fn noisy_moves(&self, _: &mut MoveList<GraphMove>) {}

    fn is_forced(&self) -> bool {
        false
    }

    fn evaluate(&self) -> i32 {
        0
    }

    fn terms(&self) -> Vec<Term> {
        Vec::new()
    }
}

impl Features for GraphGame {
    fn features(&self, side: Side) -> FeatureBits {
        if side == self.side { [1 << self.node, 0] } else { [0, 1 << self.node] }
    }

    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other, own]
    }
}

/// The plies in which Black can force a win from each node, by side to move; `None` if it cannot.
/// Computed by retrograde analysis.
pub fn lengths(graph: &'static [Node]) -> Vec<[Option<u32>; 2]> {
    let mut lengths = vec![[None; 2]; graph.len()];
    for plies in 0..=2 * graph.len() as u32 {
        let before = lengths.clone();
        for (i, node) in graph.iter().enumerate() {
            for side in Side::BOTH.into_iter().filter(|&side| before[i][side].is_none()) {
                let is_won = |&next: &u16| before[usize::from(next)][!side].is_some();
                let won = match node {
                    Node::End(winner) => plies == 0 && *winner == Some(Side::Black),
                    Node::Turn(nodes) if side == Side::Black => nodes.iter().any(is_won),
                    Node::Turn(nodes) => !nodes.is_empty() && nodes.iter().all(is_won),
                };
                if won {
                    lengths[i][side] = Some(plies);
                }
            }
        }
    }
    lengths
}
