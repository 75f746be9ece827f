//! Gradients, and the quantised network.

use super::*;
use soucie::game::Game;

const BUCKETS: Buckets = Buckets { input: 2, pairs: true, output: 3 };

/// Random weights and inputs.
fn random_example(seed: u64) -> (Weights, Example) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut weights = Weights::random(BUCKETS, seed);
    // Large enough that some accumulators are clamped at either end.
    weights.values_mut().iter_mut().for_each(|weight| *weight *= 4.0);
    let inputs = [(); 2].map(|()| {
        let mut inputs = InputList::default();
        (0..60).for_each(|_| inputs.push(random.random_range(0..weights.pair_rows().end as u16)));
        inputs
    });
    let target = random.random();
    (weights, Example { inputs, output_bucket: 1, target, result: 0.0 })
}

#[test]
fn gradients_match_finite_differences() {
    for seed in 0..2 {
        let (weights, example) = random_example(seed);
        let loss = |weights: &Weights| {
            (f64::from(sigmoid(weights.logit(&example))) - f64::from(example.target)).powi(2)
        };
        let mut gradient = Weights::zero(BUCKETS);
        let expected = weights.learn(&example, &mut gradient);
        assert_eq!(expected, sigmoid(weights.logit(&example)));
        let largest = gradient.values().iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
        let mut nonzero = 0;
        for number in (0..weights.values().len()).step_by(17) {
            let shifted = |by: f32| {
                let mut shifted = weights.clone();
                shifted.values_mut()[number] += by;
                loss(&shifted)
            };
            let step = 2e-3;
            let slope = (shifted(step) - loss(&weights)) / f64::from(step);
            let back = (loss(&weights) - shifted(-step)) / f64::from(step);
            let found = f64::from(gradient.values()[number]);
            let error = (found - (slope + back) / 2.0).abs();
            // Where the slope changes, as at the ends of the clamp, either side may be right.
            let bound = 0.02 * f64::from(largest) + (slope - back).abs();
            assert!(error < bound, "weight {number}: {found}, not {slope} or {back}");
            nonzero += usize::from(found != 0.0);
        }
        assert!(nonzero > 100, "{nonzero} slopes");
    }
}

fn check_quantised_evaluation<P: Game>(pairs: bool) {
    let mut weights = Weights::random(Buckets::for_game::<P>(pairs), 3);
    weights.values_mut().iter_mut().for_each(|weight| *weight *= 3.0);
    let header = NetworkHeader { game: P::VARIANTS[0].name.into(), scale: 1000, manifest: [0; 32] };
    let network = quantised(&weights, header);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut position = P::read_setup(P::VARIANTS[0].start, P::Rules::default()).unwrap();
    let (mut worst, mut largest) = (0.0_f32, 0.0_f32);
    while outcome(&position).is_none() {
        let inputs = position.features(position.side());
        let views = [inputs, P::flip(inputs)];
        let example = Example {
            inputs: views
                .map(|view| active_inputs::<P>(oriented::<P>(view), P::input_bucket(view), pairs)),
            output_bucket: P::output_bucket(inputs),
            ..Example::default()
        };
        let floats = 1000.0 * weights.logit(&example);
        let integers = network.evaluate(&position) as f32;
        worst = worst.max((floats - integers).abs());
        largest = largest.max(floats.abs());
        position = position.play(*legal_moves(&position).choose(&mut random).unwrap());
    }
    // About 250 output weights are each rounded to a multiple of 1/64.
    assert!(worst < 100.0 && largest > 500.0, "{worst} of {largest}");
}

#[test]
fn quantised_evaluation_is_close_to_that_of_the_floats() {
    check_quantised_evaluation::<Loa>(false);
    check_quantised_evaluation::<Loa>(true);
    check_quantised_evaluation::<Draughts>(false);
}

#[test]
fn inputs_of_a_single_bucket_are_copied_to_all_buckets() {
    let header = NetworkHeader { game: "englishdraughts".into(), scale: 100, manifest: [0; 32] };
    for buckets in [Buckets::for_game::<Draughts>(true), Buckets::for_game::<Loa>(true)] {
        let single = Buckets { input: 1, pairs: false, output: buckets.output };
        let single = quantised(&Weights::random(single, 1), header.clone());
        let network = quantised(&Weights::from_network(&single, buckets), header.clone());
        let mut rows = single.input_weights.repeat(buckets.input);
        rows.resize(network.input_weights.len(), InputWeights([0; HIDDEN]));
        assert_eq!(network.input_weights, rows);
        assert_eq!(Network { input_weights: single.input_weights.clone(), ..network }, single);
    }
}
